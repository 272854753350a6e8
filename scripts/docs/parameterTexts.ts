import type { ParameterDefinition } from '../../src/pipeline/parameterDefinition.js';
import { listParameters } from '../../src/pipeline/parameterSet.js';
import type { NamedParameter } from '../../src/pipeline/parameterSet.js';

/**
 * The declared parameters as people read them: the README's table and the commented parameter file. Both come from
 * the declaration alone, so that neither can tell anything else.
 */

/** Lines of the README between which the table stands. */
export const TABLE_BEGIN = '<!-- parameters: begin (made by `npm run docs`) -->';
export const TABLE_END = '<!-- parameters: end -->';

const WIDTH = 108;

/** One row per parameter; texts of Markdown that would end a cell are escaped. */
export function parameterTable(): string {
  const rows = listParameters().map(({ name, definition }) => [
    `\`${name}\``,
    definition.type,
    `\`${JSON.stringify(definition.default)}\``,
    rangeOf(definition),
    unitOf(definition),
    definition.description.replaceAll('|', '\\|').replaceAll('<', '&lt;'),
  ]);
  const head = ['parameter', 'type', 'default', 'range', 'unit', 'what it does'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function rangeOf(definition: ParameterDefinition): string {
  if ('range' in definition) return `${definition.range[0]} … ${definition.range[1]}`;
  if ('choices' in definition && definition.choices !== undefined) return definition.choices.join(', ');
  return '';
}

function unitOf(definition: ParameterDefinition): string {
  return 'unit' in definition ? definition.unit : '';
}

/** A README with the table between its two marks. @throws Error when a mark is missing. */
export function withParameterTable(readme: string): string {
  const begin = readme.indexOf(TABLE_BEGIN);
  const end = readme.indexOf(TABLE_END);
  if (begin < 0 || end < begin) throw new Error('the README lacks the marks of the parameter table');
  return `${readme.slice(0, begin + TABLE_BEGIN.length)}\n\n${parameterTable()}\n\n${readme.slice(end)}`;
}

/** config/scene_graph.yaml: every parameter at its default. */
export function parameterFile(): string {
  const lines = [
    '# Every parameter of the node at its default, made from the declaration by `npm run docs`. Copy what you want',
    '# to change into a file of your own: what a file leaves out keeps its default.',
    '#   ros2 launch rgbd_scene_graph scene_graph.launch.py params_file:=mine.yaml',
    '#   npx rgbd-scene-graph replay BAG --out DIR --params mine.yaml',
    '/**/rgbd_scene_graph:',
    '  ros__parameters:',
  ];
  let group = '';
  for (const parameter of listParameters()) {
    const [first = '', ...rest] = parameter.name.split('.');
    const isNested = rest.length > 0;
    if (isNested && first !== group) lines.push(`    ${first}:`);
    group = isNested ? first : '';
    lines.push(...entry(parameter, isNested ? '      ' : '    ', isNested ? rest.join('.') : first));
  }
  return `${lines.join('\n')}\n`;
}

function entry({ definition }: NamedParameter, indent: string, key: string): string[] {
  const allowed = `${rangeOf(definition)} ${unitOf(definition)}`.trim();
  const text = allowed === '' ? definition.description : `${definition.description} (${allowed})`;
  const comment = wrap(text, WIDTH - indent.length).map((line) => `${indent}# ${line}`);
  return [...comment, `${indent}${key}: ${yamlValue(definition)}`];
}

/** A number that is a double keeps its point, so that other readers of the file see the right type. */
function yamlValue(definition: ParameterDefinition): string {
  if (definition.type === 'double' && Number.isInteger(definition.default)) return `${definition.default}.0`;
  if (definition.type === 'string') return `'${definition.default}'`;
  return JSON.stringify(definition.default);
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
