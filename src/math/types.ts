/** x, y, z in metres (or a direction without unit). */
export type Vec3 = readonly [number, number, number];

/** Unit quaternion x, y, z, w, as in geometry_msgs. */
export type Quat = readonly [number, number, number, number];

/**
 * A rigid transform. Named `a_T_b`: it takes coordinates in b to coordinates in a,
 * so that products read left to right (`map_T_camera = map_T_base * base_T_camera`).
 */
export interface RigidTransform {
  readonly translation: Vec3;
  readonly rotation: Quat;
}

/** A gravity-aligned box in the map frame: full side lengths in metres, yaw in rad in (−π, π] about z. */
export interface Box {
  readonly center: Vec3;
  readonly size: Vec3;
  readonly yaw: number;
}
