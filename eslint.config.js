import tseslint from 'typescript-eslint';

export default tseslint.config(
  // Kernels are AssemblyScript, whose compiler judges them.
  {
    ignores: [
      'node_modules',
      'dist',
      'build',
      'e2e/node_modules',
      'e2e/out',
      'site/node_modules',
      '.vscode-test',
      'kernels',
    ],
  },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
      // Typed arrays under noUncheckedIndexedAccess: a checked index is asserted once, where it is proved.
      '@typescript-eslint/no-non-null-assertion': 'off',
      complexity: ['error', 15],
      'max-depth': ['error', 4],
      'max-params': ['error', 6],
    },
  },
  {
    // What decides a mapping is the same on every engine: `numeric/elementary.ts` stands in for these.
    files: [
      'server/numeric/**/*.ts',
      'server/model/**/*.ts',
      'server/network/**/*.ts',
      'server/traffic/**/*.ts',
      'server/queueing/**/*.ts',
      'server/optimisation/**/*.ts',
      'server/mapping/**/*.ts',
      'server/allocation/**/*.ts',
      'server/simulation/**/*.ts',
      'server/study/**/*.ts',
      'server/performance/**/*.ts',
      'server/output/**/*.ts',
      'server/experiments/**/*.ts',
    ],
    ignores: ['**/*.test.ts', '**/testing/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        ...[
          'acos',
          'acosh',
          'asin',
          'asinh',
          'atan',
          'atan2',
          'atanh',
          'cbrt',
          'cos',
          'cosh',
          'exp',
          'expm1',
          'hypot',
          'log',
          'log10',
          'log1p',
          'pow',
          'sin',
          'sinh',
          'tan',
          'tanh',
        ].map((property) => ({
          object: 'Math',
          property,
          message: 'Engines differ in its last bit: use numeric/elementary.ts.',
        })),
      ],
    },
  },
);
