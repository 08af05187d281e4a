import { Module } from '@nestjs/common';
import { AuthModule } from '../../00-query-agent/auth/auth.module.js';
import { StaffGuard } from './staff.guard.js';
import { StaffService } from './staff.service.js';

@Module({
  imports: [AuthModule],
  providers: [StaffService, StaffGuard],
  exports: [StaffService, StaffGuard],
})
export class StaffModule {}
