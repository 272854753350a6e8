// Files, hashes, and the stamps by which a step is known to be done.

import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export function stampFile(file, key) {
  return {
    holds: () => readIfThere(file) === key,
    write() {
      fs.writeFileSync(`${file}.new`, key);
      fs.renameSync(`${file}.new`, file);
    },
  };
}

export function hash(parts) {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(`${Buffer.byteLength(part)}:${part}`);
  return sum.digest('hex');
}

/** Hash of names and contents of all files below the paths. */
export function hashTree(paths) {
  const files = paths.flatMap((path) =>
    fs.statSync(path).isDirectory() ? findFiles(path, () => true).sort() : [path],
  );
  return hash(files.flatMap((file) => [relative(ROOT, file), fs.readFileSync(file)]).map(String));
}

export function findFiles(folder, accepts) {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && accepts(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

export function lockedVersion(tree, name) {
  return readJson(join(tree, 'package-lock.json')).packages[`node_modules/${name}`]?.version ?? 'none';
}

export function remove(path) {
  fs.rmSync(path, { recursive: true, force: true, maxRetries: 3 });
}

export function readText(path) {
  return fs.readFileSync(join(ROOT, path), 'utf8');
}

export function readIfThere(path) {
  try {
    return fs.readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return '';
    throw error;
  }
}

export function readJson(path) {
  const text = readIfThere(path);
  return text === '' ? undefined : JSON.parse(text);
}
