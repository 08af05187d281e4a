import { Aggregator } from 'mingo/aggregator';
import { Context } from 'mingo/core';
import * as accumulators from 'mingo/operators/accumulator';
import * as expressions from 'mingo/operators/expression';
import * as stages from 'mingo/operators/pipeline';
import * as projections from 'mingo/operators/projection';
import * as queries from 'mingo/operators/query';
import mongoose, { Mongoose, type Model, type Schema } from 'mongoose';
import { ExactNumber, fromMingo, toMingo, utf8 } from './stored-values.js';

const { BSON } = mongoose.mongo;

type Document = Record<string, unknown>;
type Operator = (...operands: never[]) => unknown;

/** A pipeline as it was sent, and what was sent with it. */
export interface SentPipeline {
  readonly pipeline: readonly Document[];
  readonly options: Readonly<Record<string, unknown>>;
}

export interface MingoModel {
  readonly model: Model<Document>;
  readonly mongoose: Mongoose;
  readonly sent: SentPipeline[];
  store(documents: readonly object[]): void;
}

/**
 * A Mongoose model whose driver's collection is mingo over an array. Documents and pipelines go through BSON both ways, as
 * they would to a server; there is no network.
 */
export function mingoModel(schema: Schema): MingoModel {
  const instance = new Mongoose();
  const model = instance.model('Product', schema) as unknown as Model<Document>;
  const sent: SentPipeline[] = [];
  let stored: Document[] = [];
  const aggregate = (pipeline: Document[], options: Readonly<Record<string, unknown>>) => ({
    toArray: async () => {
      sent.push({ pipeline, options });
      return run(stored, pipeline);
    },
  });
  Object.assign(model.collection, { aggregate });
  const store = (documents: readonly object[]) => {
    stored = documents.map((document) => toMingo(throughBson(document)) as Document);
  };
  return { model, mongoose: instance, sent, store };
}

function run(stored: readonly Document[], pipeline: readonly Document[]): Document[] {
  const { pipeline: received } = throughBson({ pipeline }) as { readonly pipeline: unknown };
  const yielded = new Aggregator(toMingo(received) as Document[], { context }).run([...stored]) as Document[];
  // As the driver reads by default: small 64-bit integers as numbers.
  return yielded.map((document) => BSON.deserialize(BSON.serialize(fromMingo(document) as Document)) as Document);
}

function throughBson(document: object): Document {
  return BSON.deserialize(BSON.serialize(document), { promoteLongs: false }) as Document;
}

/** What mingo has not, or reads otherwise than MongoDB: exact numbers, and text as UTF-8. */
const own: Record<'accumulator' | 'expression' | 'query', Record<string, Operator>> = {
  accumulator: {
    $sum: (documents: Document[], expression: unknown, options: never) =>
      sumOf(accumulators.$push(documents as never, expression as never, options) as unknown[], documents, expression),
    $avg: (documents: Document[], expression: unknown, options: never) => {
      const values = (accumulators.$push(documents as never, expression as never, options) as unknown[]).filter(
        (value) => value !== null,
      );
      const sum = sumOf(values, values, null);
      if (values.length === 0) return null;
      if (!(sum instanceof ExactNumber)) return (sum as number) / values.length;
      return new ExactNumber(sum.units / BigInt(values.length), false);
    },
  },
  expression: {
    $toDecimal: (document: never, expression: unknown, options: never) => {
      const value = evaluate(document, expression, options);
      return value instanceof ExactNumber ? value.toDecimal() : value;
    },
    $toDouble: (document: never, expression: unknown, options: never) => {
      const value = evaluate(document, expression, options);
      return value instanceof ExactNumber ? value.toNumber() : value;
    },
    $toString: (document: never, expression: unknown, options: never) => {
      const value = evaluate(document, expression, options);
      return value === null ? null : String(value);
    },
    $regexMatch: (document: never, { input, regex }: { input: unknown; regex: RegExp }, options: never) => {
      const text = evaluate(document, input, options);
      return typeof text === 'string' && regex.test(utf8(text));
    },
  },
  query: {
    $regex: (selector: string, regex: RegExp) => (document: Document) => {
      const value = selector.split('.').reduce<unknown>((each, key) => (each as Document | null)?.[key], document);
      return typeof value === 'string' && regex.test(utf8(value));
    },
  },
};

const context = Context.init({
  accumulator: { ...accumulators, ...own.accumulator },
  expression: { ...expressions, ...own.expression },
  pipeline: stages,
  projection: projections,
  query: { ...queries, ...own.query },
} as never);

function sumOf(values: readonly unknown[], documents: readonly unknown[], expression: unknown): unknown {
  if (typeof expression === 'number') return documents.length * expression;
  const exact = values.filter((value) => value instanceof ExactNumber);
  if (exact.length > 0)
    return new ExactNumber(
      exact.reduce((sum, { units }) => sum + units, 0n),
      false,
    );
  return values.reduce<number>((sum, value) => (typeof value === 'number' ? sum + value : sum), 0);
}

/** `$ifNull` computes an expression, and yields it as it is where it is null. */
function evaluate(document: never, expression: unknown, options: never): unknown {
  return (expressions.$ifNull as Operator)(document, [expression, null] as never, options) ?? null;
}
