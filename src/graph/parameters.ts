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
    /** The same when a detector is sure in each of them. */
    readonly strongSpanS: number;
    /** A tentative track unseen for this long is forgotten. */
    readonly forgetS: number;
    /** Share of the frames that showed its place in which it must have been observed. */
    readonly share: number;
  };
  readonly absence: {
    /** Clear views of its place, over this time, that make a thing missing … */
    readonly misses: number;
    readonly spanS: number;
    /** … once the probability that it exists has fallen below this. */
    readonly existsBelow: number;
    /** A missing thing is removed when it has been missed for this long. */
    readonly removeAfterS: number;
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
