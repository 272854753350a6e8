import assert from 'node:assert/strict';
import { posix } from 'node:path';
import ts from 'typescript';
import { projectFiles, readText } from './checkout.js';

/**
 * What each part of src/ may import from: the rows above it, as data flows. A part that is not named here may import
 * from nothing and be imported by nothing.
 */
const MAY_IMPORT: Record<string, readonly string[]> = {
  protocol: [],
  time: [],
  math: [],
  threads: [],
  input: ['time', 'math'],
  tf: ['time', 'math', 'input'],
  camera: ['time', 'math', 'input'],
  sync: ['time'],
  detect: ['time', 'math', 'threads', 'camera'],
  perceive: ['time', 'math', 'camera'],
  graph: ['protocol', 'time', 'math', 'perceive'],
  evidence: ['protocol', 'time', 'math', 'camera', 'perceive', 'graph'],
  store: ['protocol', 'time', 'math', 'threads', 'graph', 'evidence'],
  recordings: ['time', 'math', 'input'],
  simulate: ['time', 'math', 'input', 'camera', 'recordings'],
  evaluate: ['protocol', 'time', 'math'],
  pipeline: [
    ...['protocol', 'time', 'math', 'threads', 'input', 'tf', 'camera', 'sync', 'detect', 'perceive'],
    ...['graph', 'evidence', 'store', 'recordings', 'simulate'],
  ],
};
const ALL = Object.keys(MAY_IMPORT);
MAY_IMPORT.ros = ALL;
MAY_IMPORT.cli = [...ALL, 'ros'];
MAY_IMPORT['main.ts'] = ['ros'];

interface Import {
  readonly file: string;
  /** The folder (or file) of src/ that imports. */
  readonly from: string;
  /** The folder (or file) of src/, or the package, that is imported. */
  readonly to: string;
  /** The imported file, where it is one of ours. */
  readonly toFile?: string;
  readonly kind: 'static' | 'dynamic' | 'type';
}

describe('the import graph of src/', () => {
  const imports = allImports();
  const show = ({ file, to, kind }: Import): string => `${file} imports ${to} (${kind})`;

  it('goes only to the rows above', () => {
    const inside = imports.filter(({ from, to }) => from !== to && to in MAY_IMPORT);
    assert.ok(inside.length > 100, 'the walk found the imports');
    assert.deepEqual(inside.filter(({ from, to }) => !MAY_IMPORT[from]?.includes(to)).map(show), []);
  });

  it('reaches rclnodejs from src/ros/ alone', () => {
    const users = imports.filter(({ to }) => to === 'rclnodejs');
    assert.ok(users.length > 0);
    assert.deepEqual(users.filter(({ from }) => from !== 'ros').map(show), []);
  });

  it('loads src/ros/ only when it is needed, so that everything offline runs without ROS', () => {
    const users = imports.filter(({ from, to }) => to === 'ros' && from !== 'ros');
    assert.ok(users.some(({ kind }) => kind === 'dynamic'));
    assert.deepEqual(users.filter(({ kind }) => kind === 'static').map(show), []);
  });

  it('has no cycle of files that need each other to load', () => {
    assert.deepEqual(cycleOf(imports.filter(({ kind }) => kind === 'static')), []);
  });
});

function allImports(): Import[] {
  return projectFiles()
    .filter((path) => path.startsWith('src/') && path.endsWith('.ts'))
    .flatMap((file) => importsOf(file));
}

function importsOf(file: string): Import[] {
  const source = ts.createSourceFile(file, readText(file), ts.ScriptTarget.Latest, false);
  const found: Import[] = [];
  const add = (specifier: ts.Node, kind: Import['kind']): void => {
    if (!ts.isStringLiteral(specifier)) return;
    const toFile = ownFile(file, specifier.text);
    found.push({ file, from: rowOf(file), to: toFile ? rowOf(toFile) : specifier.text, toFile, kind });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, importsOnlyTypes(node) ? 'type' : 'static');
    if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
      add(node.moduleSpecifier, node.isTypeOnly ? 'type' : 'static');
    }
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      node.arguments.slice(0, 1).forEach((argument) => add(argument, 'dynamic'));
    }
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, 'type');
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Such an import is erased: nothing of the other module is loaded. */
function importsOnlyTypes({ importClause }: ts.ImportDeclaration): boolean {
  return importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
}

function ownFile(file: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  return posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.ts');
}

function rowOf(path: string): string {
  return path.split('/')[1] ?? '';
}

/** Some cycle of files, or nothing. */
function cycleOf(imports: readonly Import[]): string[] {
  const next = new Map<string, string[]>();
  for (const { file, toFile } of imports) {
    if (toFile) next.set(file, [...(next.get(file) ?? []), toFile]);
  }
  const done = new Set<string>();
  const walk = (file: string, path: readonly string[]): string[] => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return [];
    const cycle = (next.get(file) ?? [])
      .map((other) => walk(other, [...path, file]))
      .find((found) => found.length > 0);
    done.add(file);
    return cycle ?? [];
  };
  return [...next.keys()].map((file) => walk(file, [])).find((found) => found.length > 0) ?? [];
}
