import ts from 'typescript';
import * as common from '@nestjs/common';
import * as swagger from '@nestjs/swagger';
import * as validator from 'class-validator';

const MODULES: Readonly<Record<string, unknown>> = {
  '@nestjs/common': common,
  '@nestjs/swagger': swagger,
  'class-validator': validator,
};

interface Plugin {
  before(options: object, program: ts.Program): ts.TransformerFactory<ts.SourceFile>;
}

/**
 * Compiles sources with the compiler plugin of `@nestjs/swagger`, as the command line of Nest does, and loads one of them.
 *
 * @param sources by file name; `*.dto.ts` and `*.controller.ts` are what the plugin looks at
 */
export async function compileWithPlugin(
  sources: Readonly<Record<string, string>>,
  entry: string,
): Promise<Readonly<Record<string, unknown>>> {
  // Nest 11 and 12 have the plugin under the same name, and declare it in different ways.
  const pluginName = '@nestjs/swagger/plugin';
  const plugin = (await import(pluginName)) as Plugin;
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.CommonJS,
    target: ts.ScriptTarget.ES2022,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    strict: true,
    types: [],
    lib: ['lib.es2022.d.ts'],
    // What the sources import needs no types: the plugin looks at their own.
    noResolve: true,
    useDefineForClassFields: false,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.getSourceFile = (name, target) => {
    const source = sources[nameOf(name)];
    return source === undefined ? getSourceFile(name, target) : ts.createSourceFile(name, source, target, true);
  };
  host.fileExists = (name) => sources[nameOf(name)] !== undefined || fileExists(name);
  const emitted = new Map<string, string>();
  host.writeFile = (name, text) => void emitted.set(nameOf(name), text);
  const program = ts.createProgram(Object.keys(sources), options, host);
  program.emit(undefined, undefined, undefined, false, {
    before: [plugin.before({ introspectComments: true }, program)],
  });
  return load(entry, emitted);
}

function nameOf(path: string): string {
  return path.split('/').at(-1) ?? path;
}

function load(name: string, emitted: ReadonlyMap<string, string>): Readonly<Record<string, unknown>> {
  const exported = {};
  const require = (wanted: string): unknown => {
    const local = emitted.has(`${nameOf(wanted)}.js`) ? load(`${nameOf(wanted)}.js`, emitted) : undefined;
    const found = local ?? MODULES[wanted];
    if (found === undefined) throw new Error(`${wanted} is not among the modules of the test`);
    return found;
  };
  // What the compiler just wrote of the test's own sources.
  new Function('require', 'exports', emitted.get(name) ?? '')(require, exported);
  return exported;
}
