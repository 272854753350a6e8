import type { Match } from './matchObjects.js';
import type { GraphEntity, GraphFile } from './replayResult.js';
import { shareOf } from './scoreDetection.js';
import type { Share } from './scoreDetection.js';
import { isSupport } from './scoreSupports.js';
import type { Truth } from './truth.js';

/** How the truth may be off its interval's end: as for objects. */
const SLACK_S = 0.1;

export interface RelationMistake {
  readonly subject: string;
  readonly ref: string;
  /** What the truth says it is on; undefined: on nothing the truth knows. */
  readonly expected?: string;
  /** Refs that the graph says it is on. */
  readonly found: readonly string[];
}

export interface RelationScore {
  /** `on` of the matched subjects: right means on the right thing and on nothing else. */
  readonly on: Share;
  readonly wrong: readonly RelationMistake[];
  readonly missing: readonly RelationMistake[];
  /** True pairs (not complete in the truth) that the graph has too; only pairs of which both are matched. */
  readonly near: Share;
}

/** Relations that hold at `timeS` between objects that were found: a missed object is not counted again here. */
export function scoreRelations(
  truth: Truth,
  graph: GraphFile,
  matches: readonly Match[],
  timeS: number,
): RelationScore {
  const entityOf = new Map(matches.map(({ present, entity }) => [present.object.id, entity]));
  const byRef = new Map(graph.entities.map((entity) => [entity.ref, entity]));
  const holding = truth.relations.filter(({ from, to }) => timeS >= from - SLACK_S && timeS <= to + SLACK_S);
  const isTarget = (id: string, entity: GraphEntity | undefined): boolean => {
    if (entity === undefined) return false;
    const support = truth.supports.find((candidate) => candidate.id === id);
    return entityOf.get(id) === entity || (support !== undefined && isSupport(support, entity));
  };

  let right = 0;
  const wrong: RelationMistake[] = [];
  const missing: RelationMistake[] = [];
  for (const { present, entity } of matches.filter((match) => !match.present.object.coarse)) {
    const expected = holding.find(
      ({ subject, relation }) => relation === 'on' && subject === present.object.id,
    )?.object;
    const found = graph.relations
      .filter((e) => e.relation === 'on' && e.ref === entity.ref)
      .map((e) => e.otherRef);
    const mistake = {
      subject: present.object.id,
      ref: entity.ref,
      found,
      ...(expected !== undefined && { expected }),
    };
    if (expected === undefined && found.length === 0) continue;
    if (found.length === 0) missing.push(mistake);
    else if (expected !== undefined && found.every((ref) => isTarget(expected, byRef.get(ref)))) right += 1;
    else wrong.push(mistake);
  }
  return {
    on: shareOf(right, right + wrong.length + missing.length),
    wrong,
    missing,
    near: scoreNear(holding, entityOf, graph),
  };
}

function scoreNear(
  holding: Truth['relations'],
  entityOf: ReadonlyMap<string, GraphEntity>,
  graph: GraphFile,
): Share {
  const pairs = holding.flatMap(({ subject, relation, object }) => {
    const [a, b] = [entityOf.get(subject)?.ref, entityOf.get(object)?.ref];
    return relation === 'near' && a !== undefined && b !== undefined ? [{ a, b }] : [];
  });
  const has = ({ a, b }: { a: string; b: string }): boolean =>
    graph.relations.some(
      ({ ref, relation, otherRef }) =>
        relation === 'near' && ((ref === a && otherRef === b) || (ref === b && otherRef === a)),
    );
  return shareOf(pairs.filter(has).length, pairs.length);
}
