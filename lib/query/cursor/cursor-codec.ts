import { createCipheriv, createDecipheriv, createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** Makes opaque tokens of texts that hold for one binding only, and reads them. */
export interface CursorCodec {
  seal(body: string): string;
  /** Undefined for whatever `seal` of an equal codec did not make. */
  open(token: string): string | undefined;
}

/** Characters of a token: enough for any sensible sort keys, little to read for nothing. */
export const MAX_CURSOR_LENGTH = 8192;

/** base64url, without padding. */
export const CURSOR_PATTERN = '^[A-Za-z0-9_-]+$';

/**
 * @param binding what a token holds for: it opens under no other
 * @param secret seals tokens: nobody else can read or make one. Without it they are bound by a hash, which tells an altered or
 * a foreign token, not one that was made up with care.
 */
export function cursorCodec(binding: Buffer, secret: string | undefined): CursorCodec {
  const { seal, open } = secret === undefined ? hashed(binding) : sealed(binding, secret);
  return {
    seal: (body) => seal(Buffer.from(body)).toString('base64url'),
    open: (token) => {
      const bytes = Buffer.from(token, 'base64url');
      // The decoder passes over characters that are none of its own: such a token was not made here.
      return bytes.toString('base64url') === token ? open(bytes)?.toString() : undefined;
    },
  };
}

interface ByteCodec {
  seal(body: Buffer): Buffer;
  open(bytes: Buffer): Buffer | undefined;
}

const HASH_BYTES = 16;

function hashed(binding: Buffer): ByteCodec {
  const hashOf = (body: Buffer) => createHash('sha256').update(binding).update(body).digest().subarray(0, HASH_BYTES);
  return {
    seal: (body) => Buffer.concat([hashOf(body), body]),
    open: (bytes) => {
      const body = bytes.subarray(HASH_BYTES);
      return bytes.length >= HASH_BYTES && timingSafeEqual(hashOf(body), bytes.subarray(0, HASH_BYTES))
        ? body
        : undefined;
    },
  };
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM, the binding as additional data. The nonce is a keyed hash of what is sealed, so that the same place has the
 * same token, and no nonce stands for two texts.
 * @see RFC 5116, RFC 5297 (the synthetic nonce)
 */
function sealed(binding: Buffer, secret: string): ByteCodec {
  const key = createHmac('sha256', secret).update('nestjs-palette cursor key').digest();
  const nonceKey = createHmac('sha256', secret).update('nestjs-palette cursor nonce').digest();
  return {
    seal: (body) => {
      const iv = createHmac('sha256', nonceKey).update(binding).update(body).digest().subarray(0, IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(binding);
      const text = Buffer.concat([cipher.update(body), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), text]);
    },
    open: (bytes) => {
      if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAAD(binding).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
      } catch {
        return undefined;
      }
    },
  };
}
