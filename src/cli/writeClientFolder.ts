import type { Brief, SceneGraphProtocol, SceneGraphQueryProtocol } from '../protocol/index.js';
import { evidenceFileName } from '../pipeline/replay.js';
import { recordToJson, renderSceneGraphBrief } from '../protocol/index.js';
import type { StagedFolder } from '../pipeline/StagedFolder.js';

/**
 * What a running node tells through its services as the same files that a replay writes: brief.json, brief.txt,
 * graph.json, images. Tombstones and the state hash are not told by any service and are left out.
 */
export async function writeClientFolder(
  folder: StagedFolder,
  client: SceneGraphProtocol & SceneGraphQueryProtocol,
): Promise<Brief> {
  const brief = await client.brief();
  const entities: Record<string, unknown>[] = [];
  const relations: Record<string, unknown>[] = [];
  for (const { ref } of brief.objects) {
    const answer = await client.getObject(ref);
    if (!answer.success) continue;
    const images = await writeImages(folder, client, ref);
    const empty = { container_state: '', contents: [], support: null, aliases: [] };
    entities.push({ ...empty, ...recordToJson(answer.object), images });
    relations.push(...(await relationsOf(client, ref)));
  }
  const graph = {
    ...(brief.updatedAt === undefined ? {} : { graph_time: brief.updatedAt }),
    coordinate_frame: brief.coordinateFrame,
    revision: brief.revision,
    entities,
    relations,
  };
  await folder.write('graph.json', `${JSON.stringify(graph, null, 2)}\n`);
  await folder.write('brief.json', `${JSON.stringify(recordToJson(brief), null, 2)}\n`);
  await folder.write('brief.txt', `${renderSceneGraphBrief(brief).trimEnd()}\n`);
  return brief;
}

async function writeImages(
  folder: StagedFolder,
  client: SceneGraphQueryProtocol,
  ref: string,
): Promise<string[]> {
  const answer = await client.getImage(ref);
  if (!answer.success) return [];
  const names = answer.images.map((_, k) => evidenceFileName(ref, k));
  for (const [k, { data }] of answer.images.entries()) await folder.write(names[k], data);
  return names;
}

/** Outgoing edges; `near`, which every query lists on both sides, once. */
async function relationsOf(client: SceneGraphQueryProtocol, ref: string): Promise<Record<string, unknown>[]> {
  const answer = await client.getObjectRelations(ref);
  if (!answer.success) return [];
  return answer.relations
    .filter(({ relation, otherRef, inverse }) => inverse !== true && (relation !== 'near' || ref < otherRef))
    .map((relation) => ({ ref, ...recordToJson(relation) }));
}
