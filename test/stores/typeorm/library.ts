import { IsDate, IsInt, IsString } from 'class-validator';
import {
  Column,
  CreateDateColumn,
  DataSource,
  DeleteDateColumn,
  Entity,
  Index,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
  type DataSourceOptions,
  type Logger,
  type Relation,
} from 'typeorm';
import { QueryPolicy } from '../../../lib/query/index.js';

export class Place {
  @Column({ type: 'varchar' }) city!: string;
}

@Entity()
export class Book {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar' }) tenant!: string;
  @Index() @Column({ type: 'varchar' }) title!: string;
  @Column({ type: 'int', default: 0 }) stock!: number;
  @Column({ type: 'simple-array' }) tags!: string[];
  @Column({ type: 'varchar', default: '' }) secret!: string;
  @Column(() => Place) place!: Place;
  @CreateDateColumn() createdAt!: Date;
  @DeleteDateColumn() deletedAt!: Date | null;
  @OneToMany(() => Loan, (loan) => loan.book) loans!: Loan[];
}

@Entity()
export class Loan {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar' }) reader!: string;
  @ManyToOne(() => Book, (book) => book.loans) book!: Relation<Book>;
}

@QueryPolicy({ filterable: ['id', 'title', 'stock', 'city'], sortable: ['title', 'stock', 'createdAt'] })
export class BookRead {
  @IsInt() id!: number;
  @IsString() title!: string;
  @IsInt() stock!: number;
  @IsString({ each: true }) tags!: string[];
  @IsString() city!: string;
  @IsDate() createdAt!: Date;
}

/** What was sent, in order. */
export class StatementLog implements Partial<Logger> {
  readonly statements: string[] = [];
  logQuery(statement: string): void {
    this.statements.push(statement);
  }
  logQueryError(): void {}
  logQuerySlow(): void {}
  logSchemaBuild(): void {}
  logMigration(): void {}
  log(): void {}
}

/** Three books of tenant `a`, one of them deleted softly, and two of tenant `b`. */
export async function openLibrary(options: DataSourceOptions, log = new StatementLog()): Promise<DataSource> {
  const dataSource = await new DataSource({
    ...options,
    entities: [Book, Loan],
    synchronize: true,
    logging: ['query'],
    logger: log as unknown as Logger,
  }).initialize();
  const books = dataSource.getRepository(Book);
  const book = (id: number, tenant: string, title: string) => ({
    id,
    tenant,
    title,
    stock: id,
    tags: ['x', 'y'],
    place: { city: 'Rome' },
  });
  await books.insert([
    book(1, 'a', 'One'),
    book(2, 'a', 'Two'),
    book(3, 'a', 'Gone'),
    book(4, 'b', 'One'),
    book(5, 'b', 'Five'),
  ]);
  await books.softDelete(3);
  const loans = dataSource.getRepository(Loan);
  await loans.insert([1, 2, 3].map((id) => ({ id, reader: `r${id}`, book: { id: 1 } })));
  log.statements.length = 0;
  return dataSource;
}
