import { IsNumber, IsPositive } from 'class-validator';

export class RefundDto {
  /** In euros. */
  @IsNumber({ maxDecimalPlaces: 2 }) @IsPositive() amount!: number;
}
