import { Schema } from 'mongoose';
import { MongooseQueryExecutor, type MongooseFilter } from '../../../../lib/stores/mongoose/index.js';
import type { AwkwardRead } from '../../support/awkward-rows.js';
import type { OpenStore } from '../../support/store-differential.js';
import { mingoModel, type MingoModel } from './mingo-collection.js';

export interface AwkwardStore extends OpenStore<MongooseFilter> {
  readonly executor: MongooseQueryExecutor<AwkwardRead>;
  readonly mingo: MingoModel;
}

/** The awkward rows in the types that Mongoose has for their kinds; every other null is no property at all. */
export function openAwkwardStore(rows: readonly AwkwardRead[]): AwkwardStore {
  const { Types } = Schema;
  const schema = new Schema({
    _id: Types.UUID,
    title: String,
    sku: { type: String, trim: true, lowercase: true },
    price: Number,
    ratio: Types.Double,
    stock: Types.Int32,
    cost: Types.Decimal128,
    views: Types.BigInt,
    sold: Boolean,
    status: String,
    level: Number,
    facts: { releasedOn: Date },
    createdAt: Date,
  });
  const mingo = mingoModel(schema);
  const { UUID, Decimal128 } = mingo.mongoose.Types;
  mingo.store(
    rows.map(({ id, released, cost, views, ...row }, index) => {
      const document = {
        ...row,
        _id: new UUID(id),
        cost: cost === null ? null : Decimal128.fromString(cost),
        views: views === null ? null : BigInt(views),
        facts:
          released === null && index % 4 < 2 ? null : { releasedOn: released === null ? null : new Date(released) },
      };
      const isSparse = index % 2 === 0;
      return Object.fromEntries(Object.entries(document).filter(([, value]) => !(isSparse && value === null)));
    }),
  );
  const executor = new MongooseQueryExecutor<AwkwardRead>(mingo.model, { paths: { released: 'facts.releasedOn' } });
  return { executor, mingo, base: () => ({}), close: async () => undefined };
}
