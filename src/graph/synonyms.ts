/** Everyday words that `find_objects` takes for one another; within a row any word finds all. */
export const SYNONYMS: readonly (readonly string[])[] = [
  ['cup', 'mug', 'coffee cup', 'coffee mug', 'teacup'],
  ['sofa', 'couch', 'settee'],
  ['table', 'desk', 'dining table'],
  ['monitor', 'screen', 'display', 'computer monitor'],
  ['tv', 'television', 'tv monitor', 'television set'],
  ['cell phone', 'mobile phone', 'phone', 'smartphone'],
  ['bin', 'trash can', 'waste bin', 'garbage can', 'trash bin'],
  ['fridge', 'refrigerator'],
  ['plant', 'potted plant', 'houseplant'],
  ['remote', 'remote control'],
  ['laptop', 'notebook computer'],
  ['bag', 'handbag'],
  ['box', 'carton', 'cardboard box'],
  ['tap', 'faucet'],
];

/** Lower-cased with single blanks, so that `Coffee_Mug` and `coffee mug` are one. */
export function normalizeLabel(label: string): string {
  return label
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .trim();
}

/** The labels that a word finds, itself included, normalised. */
export function labelsFoundBy(word: string): ReadonlySet<string> {
  const asked = normalizeLabel(word);
  const rows = SYNONYMS.filter((row) => row.includes(asked));
  return new Set([asked, ...rows.flat()]);
}
