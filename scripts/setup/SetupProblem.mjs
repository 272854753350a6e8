/** Something that the user has to put right; its text is shown without a stack. */
export class SetupProblem extends Error {}
