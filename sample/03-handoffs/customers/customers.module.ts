import { randomBytes } from 'node:crypto';
import { Global, Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { CustomerGuard } from './customer.guard.js';

@Global()
@Module({
  imports: [JwtModule.register({ secret: randomBytes(32).toString('hex'), signOptions: { expiresIn: '1h' } })],
  providers: [CustomerGuard],
  exports: [JwtModule, CustomerGuard],
})
export class CustomersModule {}
