import type { Type } from '@nestjs/common';
import { Type as Typed } from 'class-transformer';
// The package exports its decorators, not where they write. Its `main` is the CommonJS build for ESM and CommonJS importers
// alike, so this path names the very instance that an application's decorators filled; the contract spec watches over it.
// @ts-expect-error The package ships no declaration beside this file: its shape is declared below.
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';

interface TransformerEntry<Options> {
  readonly propertyName: string | undefined;
  readonly options?: Options;
}

export interface DirectionOptions {
  readonly toClassOnly?: boolean;
  readonly toPlainOnly?: boolean;
  readonly groups?: readonly string[];
}

export type ExcludeEntry = TransformerEntry<DirectionOptions>;
export type ExposeEntry = TransformerEntry<DirectionOptions & { readonly name?: string }>;
export type TransformEntry = TransformerEntry<DirectionOptions>;

export interface TypeEntry extends TransformerEntry<TypeEntryOptions> {
  /** `design:type` of the property, as TypeScript emitted it. */
  readonly reflectedType: unknown;
  readonly typeFunction?: (help: object) => unknown;
}

interface TypeEntryOptions {
  readonly keepDiscriminatorProperty?: boolean;
  readonly discriminator?: {
    readonly property?: string;
    readonly subTypes?: readonly { readonly value: Type<unknown>; readonly name: string }[];
  };
}

type EntriesOfClass<Entry> = ReadonlyMap<unknown, ReadonlyMap<string | undefined, Entry>>;

/** What the decorators of class-transformer wrote: those of a class, or the nearest of its ancestors. */
export interface TransformerStorage {
  findTypeMetadata(target: Type<unknown>, property: string): TypeEntry | undefined;
  findExposeMetadata(target: Type<unknown>, property: string): ExposeEntry | undefined;
  findExcludeMetadata(target: Type<unknown>, property: string): ExcludeEntry | undefined;
  /** `direction`: 0 plain to class, 1 class to plain. */
  findTransformMetadatas(target: Type<unknown>, property: string, direction: 0 | 1): readonly TransformEntry[];
  getStrategy(target: Type<unknown>): 'none' | 'exposeAll' | 'excludeAll';
  readonly _typeMetadatas: EntriesOfClass<TypeEntry>;
  readonly _exposeMetadatas: EntriesOfClass<ExposeEntry>;
  readonly _excludeMetadatas: EntriesOfClass<ExcludeEntry>;
  readonly _transformMetadatas: EntriesOfClass<readonly TransformEntry[]>;
}

export const transformerStorage: TransformerStorage = defaultMetadataStorage as TransformerStorage;

/** Names of the properties that any decorator of class-transformer stands on, of this class alone. */
export function transformerPropertiesOf(target: Type<unknown>): string[] {
  const stores = [
    transformerStorage._exposeMetadatas,
    transformerStorage._typeMetadatas,
    transformerStorage._transformMetadatas,
    transformerStorage._excludeMetadatas,
  ];
  const names = stores.flatMap((store) => [...(store.get(target)?.keys() ?? [])]);
  return [...new Set(names)].filter((name) => typeof name === 'string');
}

/**
 * Whether what a decorator writes is seen here. A bundler that takes `class-transformer` from its `module` field makes two
 * copies of the storage, and ours stays empty.
 */
export function isFilledBy(decorator: (typeFunction: () => unknown) => PropertyDecorator = typeDecorator): boolean {
  class Probe {}
  decorator(() => Probe)(Probe.prototype, 'probe');
  // The storage belongs to the whole process: the probe leaves nothing in it.
  return (transformerStorage._typeMetadatas as Map<unknown, unknown>).delete(Probe);
}

function typeDecorator(typeFunction: () => unknown): PropertyDecorator {
  return Typed(typeFunction as () => Type<unknown>);
}
