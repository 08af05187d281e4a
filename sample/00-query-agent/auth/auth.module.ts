import { randomBytes } from 'node:crypto';
import { Global, Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { JwtAuthGuard } from './jwt-auth.guard.js';

@Global()
@Module({
  imports: [JwtModule.register({ secret: randomBytes(32).toString('hex'), signOptions: { expiresIn: '1h' } })],
  providers: [JwtAuthGuard],
  exports: [JwtModule, JwtAuthGuard],
})
export class AuthModule {}
