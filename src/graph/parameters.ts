/** Numbers of the working graph; each is declared with unit and reason in the table of parameters. */
export interface GraphParameters {
  readonly association: {
    /** Dearest pair that is still the same thing, 0…1. */
    readonly acceptCost: number;
    /** Gate on the distance of centres: half the diagonal, within these limits, metres. */
    readonly minGateM: number;
    readonly maxGateM: number;
  };
  readonly confirmation: {
    readonly hits: number;
    readonly spanS: number;
    /** A tentative track unseen for this long is forgotten. */
    readonly forgetS: number;
  };
  readonly merge: { readonly overlap: number; readonly checks: number };
  /** A whole view this far off (and beyond the thing's half size) is a move, not an average, metres. */
  readonly movedM: number;
  readonly relations: {
    readonly nearM: number;
    readonly nearLeaveM: number;
    readonly onGapMinM: number;
    readonly onGapMaxM: number;
    readonly onLeaveM: number;
    readonly onOverlap: number;
    readonly onLeaveOverlap: number;
  };
}

export const DEFAULT_GRAPH_PARAMETERS: GraphParameters = {
  association: { acceptCost: 0.55, minGateM: 0.15, maxGateM: 1 },
  confirmation: { hits: 3, spanS: 0.6, forgetS: 10 },
  merge: { overlap: 0.5, checks: 3 },
  movedM: 0.3,
  relations: {
    nearM: 0.5,
    nearLeaveM: 0.6,
    onGapMinM: -0.03,
    onGapMaxM: 0.05,
    onLeaveM: 0.08,
    onOverlap: 0.5,
    onLeaveOverlap: 0.35,
  },
};
