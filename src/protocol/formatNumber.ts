/**
 * A number as the Brief's text writes it: at most three decimals, trailing zeros dropped, rounded like C's
 * `printf("%.3f")` (the exact binary value, ties to even), never `-0`.
 */
export function formatNumber(value: number): string {
  const magnitude = Math.abs(value);
  // Printing a large Brief is mostly this. Away from ties the nearest thousandth is beyond doubt, and its shortest text
  // has no more decimals.
  const thousandths = magnitude * 1000;
  const whole = Math.round(thousandths);
  if (thousandths < CERTAIN_BELOW && Math.abs(thousandths - whole) < 0.499)
    return String((value < 0 ? -whole : whole) / 1000 + 0);
  const digits = magnitude >= 1e21 ? BigInt(magnitude).toString() : dropZeros(roundToThree(magnitude));
  return value < 0 && digits !== '0' ? `-${digits}` : digits;
}

/** Up to here a product by a thousand is off by far less than the margin to a tie. */
const CERTAIN_BELOW = 1e9;

/**
 * `toFixed` works on the exact binary value, but takes the larger neighbour on a tie. A binary number lies
 * exactly between two thousandths only when it is an odd number of sixteenths.
 */
function roundToThree(magnitude: number): string {
  const whole = Math.trunc(magnitude);
  const sixteenths = (magnitude - whole) * 16;
  if (!Number.isInteger(sixteenths) || sixteenths % 2 === 0) {
    return magnitude.toFixed(3);
  }
  const below = Math.floor(sixteenths * 62.5);
  const even = below % 2 === 0 ? below : below + 1;
  return `${whole}.${String(even).padStart(3, '0')}`;
}

function dropZeros(fixed: string): string {
  return fixed.replace(/\.?0+$/, '');
}
