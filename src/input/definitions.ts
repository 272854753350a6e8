/**
 * The message types that this package reads and writes, as ros2msg definition texts (fields and types as
 * ROS publishes them; the wording is ours). A recording brings its own text, which is used instead; a live
 * topic brings none. Nested types follow the root after a separator line, the form in which recordings store them.
 */

const HEADER = `builtin_interfaces/Time stamp
string frame_id
`;

const TIME = `int32 sec
uint32 nanosec
`;

const VECTOR3 = `float64 x
float64 y
float64 z
`;

const QUATERNION = `float64 x
float64 y
float64 z
float64 w
`;

const NESTED: Readonly<Record<string, string>> = {
  'builtin_interfaces/Time': TIME,
  'std_msgs/Header': HEADER,
  'geometry_msgs/Vector3': VECTOR3,
  'geometry_msgs/Point': VECTOR3,
  'geometry_msgs/Quaternion': QUATERNION,
  'geometry_msgs/Transform': `geometry_msgs/Vector3 translation
geometry_msgs/Quaternion rotation
`,
  'geometry_msgs/TransformStamped': `std_msgs/Header header
string child_frame_id
geometry_msgs/Transform transform
`,
  'geometry_msgs/Pose': `geometry_msgs/Point position
geometry_msgs/Quaternion orientation
`,
  'geometry_msgs/PoseWithCovariance': `geometry_msgs/Pose pose
float64[36] covariance
`,
  'geometry_msgs/Twist': `geometry_msgs/Vector3 linear
geometry_msgs/Vector3 angular
`,
  'geometry_msgs/TwistWithCovariance': `geometry_msgs/Twist twist
float64[36] covariance
`,
  'vision_msgs/Point2D': `float64 x
float64 y
`,
  'vision_msgs/Pose2D': `vision_msgs/Point2D position
float64 theta
`,
  'vision_msgs/BoundingBox2D': `vision_msgs/Pose2D center
float64 size_x
float64 size_y
`,
  'vision_msgs/ObjectHypothesis': `string class_id
float64 score
`,
  'vision_msgs/ObjectHypothesisWithPose': `vision_msgs/ObjectHypothesis hypothesis
geometry_msgs/PoseWithCovariance pose
`,
  'vision_msgs/Detection2D': `std_msgs/Header header
vision_msgs/ObjectHypothesisWithPose[] results
vision_msgs/BoundingBox2D bbox
string id
`,
  'sensor_msgs/RegionOfInterest': `uint32 x_offset
uint32 y_offset
uint32 height
uint32 width
bool do_rectify
`,
};

const ROOTS: Readonly<Record<string, string>> = {
  'std_msgs/Header': HEADER,
  'sensor_msgs/Image': `std_msgs/Header header
uint32 height
uint32 width
string encoding
uint8 is_bigendian
uint32 step
uint8[] data
`,
  'sensor_msgs/CompressedImage': `std_msgs/Header header
string format
uint8[] data
`,
  'sensor_msgs/CameraInfo': `std_msgs/Header header
uint32 height
uint32 width
string distortion_model
float64[] d
float64[9] k
float64[9] r
float64[12] p
uint32 binning_x
uint32 binning_y
sensor_msgs/RegionOfInterest roi
`,
  'tf2_msgs/TFMessage': `geometry_msgs/TransformStamped[] transforms
`,
  'nav_msgs/Odometry': `std_msgs/Header header
string child_frame_id
geometry_msgs/PoseWithCovariance pose
geometry_msgs/TwistWithCovariance twist
`,
  'vision_msgs/Detection2DArray': `std_msgs/Header header
vision_msgs/Detection2D[] detections
`,
  'rosgraph_msgs/Clock': `builtin_interfaces/Time clock
`,
};

/** `sensor_msgs/msg/Image` and `sensor_msgs/Image` are the same type; the short form is the key. */
export function shortTypeName(type: string): string {
  return type.replace('/msg/', '/');
}

/** The name as ROS 2 writes it in graphs and recordings: `sensor_msgs/msg/Image`. */
export function longTypeName(type: string): string {
  const [packageName = '', name = ''] = shortTypeName(type).split('/');
  return `${packageName}/msg/${name}`;
}

/** The types that have a definition here, in the short form. */
export function knownTypes(): readonly string[] {
  return Object.keys(ROOTS);
}

/** The definition text of a known type with every nested type it needs; undefined for others. */
export function findDefinition(type: string): string | undefined {
  const root = ROOTS[shortTypeName(type)];
  if (root === undefined) return undefined;
  const parts = [root];
  for (const name of nestedTypes(root)) parts.push(`MSG: ${name}\n${NESTED[name] ?? ''}`);
  return parts.join(`${'='.repeat(80)}\n`);
}

/** Names of all nested types in the order in which they first appear. */
function nestedTypes(root: string): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (text: string): void => {
    for (const line of text.split('\n')) {
      const name = (line.split(' ')[0] ?? '').replace(/\[.*\]$/, '');
      const nested = NESTED[name];
      if (nested === undefined || found.has(name)) continue;
      found.add(name);
      visit(nested);
    }
  };
  visit(root);
  return found;
}
