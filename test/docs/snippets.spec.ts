import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';

const REPOSITORY = join(import.meta.dirname, '../..');
const PAGES = ['README.md', ...readdirSync(join(REPOSITORY, 'docs')).map((name) => `docs/${name}`)].filter((name) =>
  name.endsWith('.md'),
);

/** What a snippet imports from the reader's own application. */
const YOUR_APPLICATION = `
import type { CanActivate } from '@nestjs/common';
import type { ListQuery } from 'nestjs-palette';

export class JwtAuthGuard implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}

export class NotesService {
  list<Row>(query: ListQuery<Row>): unknown {
    return query;
  }
}
`;

/**
 * The TypeScript blocks of a page as modules: a block that begins with an import begins a module, and one that does not
 * goes on with the module before it.
 */
function modulesOf(page: string): string[] {
  const text = readFileSync(join(REPOSITORY, page), 'utf8');
  const blocks = [...text.matchAll(/^```ts\n(.*?)^```/gms)].map((match) => match[1] as string);
  const modules: string[] = [];
  for (const block of blocks) {
    if (/^import\b/m.test(block) || modules.length === 0) modules.push(block);
    else modules.push(`${modules.pop()}\n${block}`);
  }
  return modules;
}

describe('the snippets of the documentation', () => {
  it('are found', () => {
    expect(modulesOf('README.md').length).toBeGreaterThan(0);
  });

  it('compile', () => {
    const files = new Map([[join(REPOSITORY, 'docs/your-application.ts'), YOUR_APPLICATION]]);
    for (const page of PAGES) {
      modulesOf(page).forEach((module, index) => {
        files.set(join(REPOSITORY, `docs/${page.replace(/\W/g, '_')}_${index + 1}.ts`), module);
      });
    }
    expect(diagnose(files)).toEqual([]);
  }, 120_000);
});

function diagnose(files: ReadonlyMap<string, string>): string[] {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(REPOSITORY, 'tsconfig.json'),
    { noEmit: true, noUnusedLocals: false },
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined },
  );
  const options = config?.options ?? {};
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.readFile = (name) => files.get(name) ?? readFile(name);
  const program = ts.createProgram([...files.keys()], options, host);
  return [...files.keys()].flatMap((name) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(name))
      .map((diagnostic) => `${name.slice(REPOSITORY.length + 1)}: ${placeOf(diagnostic)}${textOf(diagnostic)}`),
  );
}

function placeOf(diagnostic: ts.Diagnostic): string {
  if (diagnostic.file === undefined || diagnostic.start === undefined) return '';
  return `line ${diagnostic.file.getLineAndCharacterOfPosition(diagnostic.start).line + 1}: `;
}

function textOf(diagnostic: ts.Diagnostic): string {
  return ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ');
}
