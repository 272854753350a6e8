/** `npm run docs`: writes the README's parameter table and config/scene_graph.yaml anew from the declaration. */
import { readFileSync, writeFileSync } from 'node:fs';
import { parameterFile, withParameterTable } from './parameterTexts.js';

const readme = new URL('../../README.md', import.meta.url);
writeFileSync(readme, withParameterTable(readFileSync(readme, 'utf8')));
writeFileSync(new URL('../../config/scene_graph.yaml', import.meta.url), parameterFile());
