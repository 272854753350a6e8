// Where ROS 2 comes from, and the variables that a process needs to use it together with our own interfaces.
//
// Two sources: a ROS 2 that the user has sourced, else the wheels that the set-up installs under .ros/venv. What
// the set-up builds is laid over either, one prefix a package, as colcon does.

import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Distributions that a user may have sourced. The wheels are Kilted. */
export const SUPPORTED_DISTROS = ['jazzy', 'kilted', 'lyrical'];

/** Folders of the checkout that the set-up fills; git ignores them. */
export function rosFolders(root) {
  const ros = join(root, '.ros');
  return {
    ros,
    venv: join(ros, 'venv'),
    build: join(ros, 'build'),
    install: join(ros, 'install'),
    shim: join(ros, 'shim'),
    logs: join(ros, 'logs'),
  };
}

/** Does an ament prefix hold this package? */
export function prefixHasPackage(prefix, name) {
  return existsSync(join(prefix, 'share/ament_index/resource_index/packages', name));
}

/**
 * The ROS 2 that the caller's environment has sourced: {distro, prefixes}, or undefined. Prefixes of this checkout do
 * not count, so that a shell which holds our own environment sets up the same things as one that does not.
 */
export function sourcedRos(root, env = process.env) {
  const own = rosFolders(root).ros;
  const prefixes = split(env.AMENT_PREFIX_PATH).filter(
    (prefix) => prefix !== own && !prefix.startsWith(own + '/'),
  );
  const hasRcl = prefixes.some((prefix) => prefixHasPackage(prefix, 'rcl'));
  return env.ROS_DISTRO && hasRcl ? { distro: env.ROS_DISTRO, prefixes } : undefined;
}

/** The environment of the wheels alone, in which interface packages and rclnodejs are built. */
export function wheelsEnvironment(root, env = process.env) {
  const { venv } = rosFolders(root);
  const sitePackages = join(venv, 'lib/python3.12/site-packages');
  const bundledLibraries = existsSync(sitePackages)
    ? readdirSync(sitePackages).filter((name) => /^ros_.*\.libs$/.test(name))
    : [];
  return withFront(env, {
    PATH: [join(venv, 'bin')],
    AMENT_PREFIX_PATH: [venv],
    CMAKE_PREFIX_PATH: [venv],
    LD_LIBRARY_PATH: [join(venv, 'lib'), ...bundledLibraries.map((name) => join(sitePackages, name))],
    PYTHONPATH: [sitePackages],
    ROS_DISTRO: 'kilted',
    ROS_VERSION: '2',
    ROS_PYTHON_VERSION: '3',
    // Without it a .pth file of the wheels starts Python a second time to set these very variables.
    _ROS_WHEELS_BOOTSTRAP_COMPLETE: '1',
  });
}

/** The underlay: the sourced ROS 2 as it is, else the wheels. */
export function underlayEnvironment(root, env = process.env) {
  return sourcedRos(root, env) ? { ...env } : wheelsEnvironment(root, env);
}

/** The underlay with the packages that the set-up has built laid over it: what a node, a test or a tool runs in. */
export function rosEnvironment(root, env = process.env) {
  return overlayEnvironment(underlayEnvironment(root, env), overlayPrefixes(root));
}

/** Lays prefixes, the topmost first, over an environment. */
export function overlayEnvironment(env, prefixes) {
  return withFront(env, {
    PATH: prefixes.map((prefix) => join(prefix, 'bin')).filter(existsSync),
    AMENT_PREFIX_PATH: prefixes,
    CMAKE_PREFIX_PATH: prefixes,
    LD_LIBRARY_PATH: prefixes.map((prefix) => join(prefix, 'lib')),
    PYTHONPATH: prefixes.flatMap(pythonFolders),
  });
}

function overlayPrefixes(root) {
  const { install } = rosFolders(root);
  if (!existsSync(install)) return [];
  return readdirSync(install)
    .map((name) => join(install, name))
    .filter((prefix) => existsSync(join(prefix, 'share/ament_index')))
    .sort();
}

/** Where ament puts Python modules differs between distributions and Pythons. */
function pythonFolders(prefix) {
  return ['lib', 'local/lib'].flatMap((lib) => {
    const folder = join(prefix, lib);
    if (!existsSync(folder)) return [];
    return readdirSync(folder)
      .filter((name) => /^python3/.test(name))
      .flatMap((python) => ['site-packages', 'dist-packages'].map((name) => join(folder, python, name)))
      .filter(existsSync);
  });
}

/** A copy of env with lists put before what a path variable holds, each entry once, and plain strings set. */
function withFront(env, changes) {
  const result = { ...env };
  for (const [name, value] of Object.entries(changes)) {
    result[name] = Array.isArray(value)
      ? [...new Set([...value, ...split(env[name])])].join(delimiter)
      : value;
  }
  return result;
}

function split(list) {
  return (list ?? '').split(delimiter).filter((entry) => entry !== '');
}
