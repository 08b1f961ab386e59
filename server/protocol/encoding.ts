/**
 * Scenes and parts of playbacks as JSON text: typed arrays become `{ "array": name, "base64": bytes }`, everything else stays as it is. Bytes
 * are in the platform's order, which is little-endian wherever VS Code runs. Works in Node and in browsers.
 */
import type { PlaybackParts } from '../drawing/figures/playbackFigure.ts';
import type { Scene } from '../drawing/scene.ts';
import type { EncodedPlayback } from './figures.ts';
import type { EncodedScene } from './messages.ts';

// Both are in every browser and in Node; this room is compiled with neither's types.
declare function atob(base64: string): string;
declare function btoa(binary: string): string;

const arrayTypes = { Float32Array, Float64Array, Int16Array, Int32Array, Uint8Array } as const;
type ArrayName = keyof typeof arrayTypes;

interface EncodedArray {
  readonly array: ArrayName;
  readonly base64: string;
}

/** O(bytes). */
export function encodeScene(scene: Scene): EncodedScene {
  return { encoded: 'scene', json: JSON.stringify(scene, (_key, value: unknown) => encodeValue(value)) };
}

/** The inverse of {@link encodeScene}. Throws on text that it did not write: versions are compared first. */
export function decodeScene(encoded: EncodedScene): Scene {
  return withArrays(JSON.parse(encoded.json)) as Scene;
}

/** O(bytes). */
export function encodePlayback(parts: PlaybackParts): EncodedPlayback {
  return { encoded: 'playback', json: JSON.stringify(parts, (_key, value: unknown) => encodeValue(value)) };
}

/** The inverse of {@link encodePlayback}. Throws on text that it did not write. */
export function decodePlayback(encoded: EncodedPlayback): PlaybackParts {
  return withArrays(JSON.parse(encoded.json)) as PlaybackParts;
}

function encodeValue(value: unknown): unknown {
  if (!ArrayBuffer.isView(value)) return value;
  const array = value.constructor.name as ArrayName;
  const encoded: EncodedArray = { array, base64: toBase64(value) };
  return encoded;
}

/** What JSON gave, with arrays in the places of their texts. `JSON.parse` would ask of every name of a host whether it is one. O(bytes). */
function withArrays(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isEncodedArray(value)) return decodeArray(value);
  if (Array.isArray(value)) return value.map(withArrays);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withArrays(part)]));
}

function isEncodedArray(value: unknown): value is EncodedArray {
  return typeof value === 'object' && value !== null && 'array' in value && 'base64' in value;
}

/** Characters handed to `String.fromCharCode` at once: engines limit the number of arguments. */
const chunkSize = 0x2000;

/** The bytes of an array as base64, as one string; O(bytes). */
export function toBase64(view: ArrayBufferView): string {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  let binary = '';
  for (let start = 0; start < bytes.length; start += chunkSize) {
    binary += Reflect.apply(String.fromCharCode, undefined, bytes.subarray(start, start + chunkSize)) as string;
  }
  return btoa(binary);
}

function decodeArray({ array, base64 }: EncodedArray): InstanceType<(typeof arrayTypes)[ArrayName]> {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return new arrayTypes[array](bytes.buffer);
}
