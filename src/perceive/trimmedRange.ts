const BINS = 256;

/**
 * Range of values without the given share at either end, to 1/256 of the whole range. By histogram: sorting a few
 * hundred numbers for every piece of every frame would cost more than all else done with them.
 */
export function trimmedRange(values: Float32Array, share: number): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (let k = 0; k < values.length; k++) {
    if (values[k] < low) low = values[k];
    if (values[k] > high) high = values[k];
  }
  const skip = Math.floor(share * values.length);
  if (skip === 0 || high === low) return [low, high];
  const scale = (BINS - 1) / (high - low);
  const counts = new Uint32Array(BINS);
  for (let k = 0; k < values.length; k++) counts[Math.floor((values[k] - low) * scale)]++;
  let first = 0;
  for (let sum = counts[0]; sum <= skip; sum += counts[first]) first++;
  let last = BINS - 1;
  for (let sum = counts[last]; sum <= skip; sum += counts[last]) last--;
  // The lower edge of the first bin kept and the upper edge of the last.
  return [low + first / scale, Math.min(high, low + (last + 1) / scale)];
}
