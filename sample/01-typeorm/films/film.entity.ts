import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A film as the database has it. */
@Entity('films')
export class Film {
  @PrimaryColumn('int') id!: number;
  @Column('varchar', { nullable: true }) title!: string | null;
  @Index() @Column('varchar', { nullable: true }) genre!: string | null;
  @Column('varchar', { nullable: true }) director!: string | null;
  @Column('double', { nullable: true }) rating!: number | null;
  @Column('int', { nullable: true }) votes!: number | null;
}
