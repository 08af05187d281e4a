import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist', '.build', 'coverage', 'test/package/fixture/**', 'test/stores/prisma/generated/**'] },
  ...tseslint.configs.recommended,
  {
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-explicit-any': 'error',
      // Rewriting an import to `import type` erases the class that dependency injection reads.
      '@typescript-eslint/consistent-type-imports': 'off',
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  {
    files: ['lib/**/*.ts'],
    ignores: ['lib/**/*.spec.ts'],
    rules: {
      'max-lines': ['error', { max: 300 }],
      'max-lines-per-function': ['error', { max: 50 }],
    },
  },
  {
    files: ['lib/**/*.ts'],
    ignores: ['lib/internal/nest.ts', 'lib/internal/nest.spec.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ regex: '^@nestjs/[^/]+/.+', message: 'Deep Nest imports live in lib/internal/nest.ts only.' }] },
      ],
    },
  },
  { files: ['scripts/**', 'sample/**/main.ts', 'bench/**'], rules: { 'no-console': 'off' } },
);
