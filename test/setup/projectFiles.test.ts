import assert from 'node:assert/strict';
import { ROOT, projectFiles, readText } from './checkout.js';

describe('the files of the project', () => {
  it('name no folder of a machine that they were written on', () => {
    const folders = ['/work/', '/root/', `${ROOT}/`];
    const found = textFiles().flatMap((path) => {
      const line = readText(path)
        .split('\n')
        .findIndex((text) => folders.some((folder) => text.includes(folder)));
      return line < 0 ? [] : [`${path}:${line + 1}`];
    });
    assert.deepEqual(found, []);
  });

  it('give one version, licence and description of who keeps them', () => {
    const manifest = JSON.parse(readText('package.json')) as Record<string, string>;
    const lock = JSON.parse(readText('package-lock.json')) as { version: string };
    const ament = readText('package.xml');
    const element = (name: string): string | undefined =>
      new RegExp(`<${name}[^>]*>([^<]*)</${name}>`).exec(ament)?.[1];
    const email = /<maintainer email="([^"]+)">/.exec(ament)?.[1];
    assert.equal(element('version'), manifest.version);
    assert.equal(lock.version, manifest.version);
    assert.equal(element('license'), manifest.license);
    assert.equal(`${element('maintainer')} <${email}>`, manifest.author);
    assert.match(readText('LICENSE'), /Apache License\s+Version 2\.0/);
  });

  it('pin every npm package to one version', () => {
    const manifest = JSON.parse(readText('package.json')) as Record<string, Record<string, string>>;
    const groups = ['dependencies', 'optionalDependencies', 'devDependencies'];
    const versions = groups.flatMap((group) => Object.entries(manifest[group]));
    assert.deepEqual(
      versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version)),
      [],
    );
  });
});

function textFiles(): string[] {
  const ours = 'test/setup/projectFiles.test.ts';
  return projectFiles().filter((path) => path !== ours && !/\.(png|jpe?g|mcap|db3|bin|gif|webp)$/.test(path));
}
