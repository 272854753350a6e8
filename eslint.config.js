import tseslint from 'typescript-eslint';

/** Rules that need types come first in worth: a promise nobody waits for is this code's most likely bug. */
const typedRules = {
  '@typescript-eslint/consistent-type-imports': 'error',
  '@typescript-eslint/no-explicit-any': 'error',
  '@typescript-eslint/no-floating-promises': ['error', { allowForKnownSafeCalls: knownSafeInTests() }],
  '@typescript-eslint/no-misused-promises': 'error',
  '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
  '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
  '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
  eqeqeq: 'error',
  'no-var': 'error',
  'prefer-const': 'error',
  'no-restricted-syntax': [
    'error',
    { selector: 'ExportDefaultDeclaration', message: 'Export by name; a name is found by searching.' },
  ],
  'max-lines': ['error', { max: 600 }],
};

/** Only an entry may end the process: everything below it throws or returns. */
const belowTheEntries = {
  files: ['src/**/*.ts'],
  ignores: ['src/main.ts', 'src/cli/main.ts'],
  rules: {
    'no-restricted-properties': [
      'error',
      { object: 'process', property: 'exit', message: 'Only an entry may exit.' },
    ],
  },
};

/** The suite's own functions hand back promises that the suite itself waits for. */
function knownSafeInTests() {
  return [
    {
      from: 'package',
      name: ['describe', 'it', 'before', 'after', 'beforeEach', 'afterEach'],
      package: 'mocha',
    },
  ];
}

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'build/',
      'install/',
      'log/',
      'out/',
      'coverage/',
      '.ros/',
      // AssemblyScript, and what is compiled from it.
      'kernels/',
      'src/perceive/kernels/compiledKernels.ts',
      '**/*.cjs',
      '**/*.mjs',
      'eslint.config.js',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: typedRules,
  },
  belowTheEntries,
);
