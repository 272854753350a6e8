// Mocha's spec reporter, closed by one plain line "N passed, N failed" (", N skipped" where some were).

const { writeFileSync } = require('node:fs');
const { reporters } = require('mocha');

class SummaryReporter extends reporters.Spec {
  epilogue() {
    super.epilogue();
    const { passes, failures, pending } = this.stats;
    const line = `${passes} passed, ${failures} failed` + (pending > 0 ? `, ${pending} skipped` : '');
    // Whoever started the tests prints the line last of all; without such a one it is printed here.
    const file = process.env.TEST_SUMMARY_FILE;
    if (file) writeFileSync(file, `${line}\n`);
    else console.log(line);
  }
}

module.exports = SummaryReporter;
