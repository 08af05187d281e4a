import { describe, expect, it } from '@jest/globals';
import { Type } from 'class-transformer';
import { IsArray, IsObject, IsString, ValidateNested } from 'class-validator';
import { Sensitive } from '../../common/index.js';
import { sensitiveFields } from './sensitive-fields.js';

class Address {
  @IsString() @Sensitive('pii') street!: string;
}

class Order {
  @ValidateNested({ each: true }) @Type(() => Address) @IsArray() addresses!: Address[];
  @ValidateNested({ each: true }) @Type(() => Order) parts!: Order[];
}

class Person {
  @IsString() name!: string;
  @IsString() @Sensitive('pii') email!: string;
  @IsObject() home!: Address;
}

class Customer extends Person {
  @ValidateNested() @Type(() => Order) order!: Order;
}

@Sensitive('health')
class Patient {
  @IsString() name!: string;
}

class Visit {
  @ValidateNested() @Type(() => Patient) patient!: Patient;
}

class Harmless {
  @IsString() name!: string;
  @IsObject() more!: object;
}

describe('sensitiveFields', () => {
  it('finds own, inherited and nested fields, and whole classes', () => {
    expect(sensitiveFields(Person)).toEqual(['Person.email (pii)', 'Address.street (pii)']);
    expect(sensitiveFields(Order)).toEqual(['Address.street (pii)']);
    expect(sensitiveFields(Customer).sort()).toEqual(['Address.street (pii)', 'Customer.email (pii)']);
    expect(sensitiveFields(Visit)).toEqual(['Patient (health)']);
  });

  it('finds none where there is none', () => {
    expect(sensitiveFields(Harmless)).toEqual([]);
    expect(sensitiveFields(undefined)).toEqual([]);
  });
});
