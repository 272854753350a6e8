/** One mechanism taken away: by parameters that make it do nothing, or by a module in whose place nothing is done. */
export interface Ablation {
  readonly name: string;
  /** By ROS name. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Below `src/`; its stand-in lies in `neutral/`. */
  readonly module?: string;
}

export const ABLATIONS: readonly Ablation[] = [
  { name: 'absence', parameters: { 'absence.exists_below': 0 } },
  { name: 'merging of doubles', parameters: { 'merge.checks': 100 } },
  { name: 'appearance', module: 'perceive/likeness.ts' },
  { name: 'joining of hollows', module: 'perceive/joinHollows.ts' },
  { name: 'joining of pieces', module: 'graph/joinObservations.ts' },
  { name: 'ripple filter', module: 'perceive/isRipple.ts' },
  { name: 'memory of planes', module: 'graph/knownScene.ts' },
  { name: 'quantile of boxes', module: 'graph/boxFromShapes.ts' },
  { name: 'share on walls', parameters: { 'structure.wall_share': 1 } },
  { name: 'turn gate', parameters: { 'input.max_turn_rad_per_s': 20 } },
  { name: 'confirmation', parameters: { 'confirmation.hits': 1, 'confirmation.span_s': 0 } },
  { name: 'share of sightings', parameters: { 'confirmation.share': 0 } },
  { name: 'second parting', parameters: { 'segmentation.split_width_m': 5 } },
  { name: 'noise in joining', parameters: { 'segmentation.join_sigmas': 0.5 } },
  { name: 'least piece', parameters: { 'segmentation.min_pixels': 4 } },
  { name: 'range limit', parameters: { 'segmentation.max_object_range_m': 20 } },
  { name: 'move hypothesis', parameters: { 'association.moved_m': 5 } },
];
