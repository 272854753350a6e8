import { List, Map as ImmutableMap } from 'immutable';
import { noEdges } from './EdgeTable.js';
import { noPlaces } from './placeIndex.js';
import type { GraphState } from './types.js';

/** The graph before any data: nothing known, revision 0, epoch 0. */
export function emptyState(mapFrame: string): GraphState {
  return {
    revision: 0,
    epoch: 0,
    graphTime: undefined,
    mapFrame,
    refCounters: ImmutableMap(),
    entities: ImmutableMap(),
    tracks: ImmutableMap(),
    nextTrackId: 1,
    aliases: ImmutableMap(),
    tombstones: ImmutableMap(),
    relations: ImmutableMap(),
    mergeEvidence: ImmutableMap(),
    places: noPlaces(),
    edges: noEdges(),
    robot: { map_T_grippers: ImmutableMap(), holding: List() },
    ledger: ImmutableMap(),
  };
}
