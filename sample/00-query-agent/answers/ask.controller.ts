import { Body, Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import { IsString, MaxLength } from 'class-validator';
import { Caller, type CallerContext } from 'nestjs-palette';
import { JwtAuthGuard } from '../auth/jwt-auth.guard.js';
import { AnswerService, type Turn } from './answer.service.js';

export class AskDto {
  @IsString() @MaxLength(500) question!: string;
}

@Controller('ask')
@UseGuards(JwtAuthGuard)
export class AskController {
  constructor(private readonly answers: AnswerService) {}

  @Post()
  @HttpCode(200)
  ask(@Body() { question }: AskDto, @Caller() caller: CallerContext): Promise<Turn> {
    return this.answers.answer(question, caller);
  }
}
