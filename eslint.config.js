import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['node_modules', 'dist', 'build', 'e2e/node_modules', 'e2e/out', '.vscode-test'] },
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
);
