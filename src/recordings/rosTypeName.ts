/** `sensor_msgs/Image` and `sensor_msgs/msg/Image` both as the long form; other names as they are. */
export function rosTypeName(name: string): string {
  const parts = name.split('/');
  return parts.length === 2 && parts[0] && parts[1] ? `${parts[0]}/msg/${parts[1]}` : name;
}
