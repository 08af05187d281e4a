import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { JwtService } from '@nestjs/jwt';
import { getPaletteToken, PaletteBootError, type Palette } from 'nestjs-palette';
import { AppModule } from './app.module.js';
import type { Turn } from './answers/answer.service.js';
import { USERS } from './auth/users.js';
import type { Provider } from './model/model.service.js';
import { renderPalette, renderTurn } from './render.js';

interface Scene {
  readonly who: keyof typeof USERS;
  readonly question: string;
  /** What must stand in the answer, or the code of the refusal. */
  readonly expected: readonly string[];
}

const SCENES: readonly Scene[] = [
  { who: 'ada', question: 'Which notes are about work?', expected: ['Quarterly numbers', 'Offsite', 'Retrospective'] },
  { who: 'ada', question: 'How many notes per category?', expected: ['home 2', 'work 3', 'ideas 1'] },
  { who: 'ada', question: 'How many films per genre?', expected: ['Drama 789', 'Comedy 675', 'none 275'] },
  {
    who: 'ada',
    question: 'Which dramas are rated best?',
    expected: ['The Shawshank Redemption (9.2)', 'Pulp Fiction (8.9)'],
  },
  { who: 'ada', question: 'Which notes mention revenue?', expected: ['field_not_filterable'] },
  { who: 'ben', question: 'How many notes per category?', expected: ['forbidden'] },
];

/**
 * Plays the recipe: what a model is told, what it asks, what the application answers, and three refusals.
 *
 * @param print takes one line at a time
 * @param provider answers in place of the canned one; what it will say is its own business
 * @returns what did not happen as it should; nothing where all went well
 */
export async function playDemo(print: (line: string) => void, provider?: Provider): Promise<readonly string[]> {
  const faults: string[] = [];
  const app = await NestFactory.create(AppModule.register({ acknowledgeDataEgress: true, provider }), {
    logger: false,
  });
  try {
    await app.listen(0, '127.0.0.1');
    print('The palette, as the model sees it');
    renderPalette(app.get<Palette>(getPaletteToken('answering'), { strict: false })).forEach(print);
    for (const scene of SCENES) {
      const turn = await ask(app, scene);
      renderTurn(`${scene.who} (${USERS[scene.who].role})`, scene.question, turn).forEach(print);
      const expected = provider === undefined ? scene.expected : [];
      const missing = expected.filter((text) => !turn.answer.includes(text));
      if (missing.length > 0) faults.push(`"${scene.question}" (${scene.who}) did not bring: ${missing.join(', ')}`);
    }
  } finally {
    await app.close();
  }
  faults.push(...refusedBoot(print));
  return faults;
}

async function ask(app: INestApplication, { who, question }: Scene): Promise<Turn> {
  const token = await app.get(JwtService, { strict: false }).signAsync({ ...USERS[who] });
  const response = await fetch(`${await app.getUrl()}/ask`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ question }),
  });
  if (!response.ok) throw new Error(`"${question}" was answered with ${response.status}`);
  return (await response.json()) as Turn;
}

function refusedBoot(print: (line: string) => void): readonly string[] {
  print('');
  print('The same application, with nobody having acknowledged that data leaves for the model');
  try {
    AppModule.register({ acknowledgeDataEgress: false });
  } catch (error) {
    if (!PaletteBootError.isInstance(error)) throw error;
    error.message.split('\n').forEach((line) => print(`  does not boot: ${line}`));
    return error.code === 'http_egress_unacknowledged' ? [] : [`the boot was refused with ${error.code}`];
  }
  return ['the application booted without an acknowledgement'];
}
