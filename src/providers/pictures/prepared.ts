/**
 * The pictures of a conversation, prepared once each. A block of a conversation never changes, so what was
 * made of it is kept with it and goes when it goes. Only what is meant for the model is looked at.
 */
import {
  type ImageContent,
  isFor,
  type Message,
  type ResourceContent,
  type ToolContent,
} from "../../conversation/index.ts";
import { type Picture, type PictureRules, preparePicture } from "./picture.ts";

export type PictureBlock = ImageContent | ResourceContent;

export interface PreparedPictures {
  prepare(messages: readonly Message[]): Promise<void>;
  /** Nothing for a block that is no picture. */
  of(block: PictureBlock): Picture | undefined;
  /**
   * The provider refused a request with these pictures: they are markers from now on, because one picture that
   * a provider does not like would otherwise block the whole conversation. False when there was none to blame.
   */
  refuse(messages: readonly Message[]): boolean;
}

export function createPreparedPictures(rules: PictureRules): PreparedPictures {
  const prepared = new WeakMap<PictureBlock, Picture>();
  const done = new WeakSet<Message>();
  return {
    of: (block) => prepared.get(block),
    refuse(messages) {
      const sent = messages
        .flatMap(blocksOf)
        .filter((block) => prepared.get(block as PictureBlock)?.type === "image");
      for (const block of sent)
        prepared.set(block as PictureBlock, { type: "none", reason: "the provider refused it" });
      return sent.length > 0;
    },
    async prepare(messages) {
      // One after another: decoding takes memory, and a picture is prepared in one turn only.
      for (const message of messages) {
        if (done.has(message)) continue;
        for (const block of blocksOf(message)) {
          const data = pictureData(block);
          if (data === undefined || prepared.has(block as PictureBlock)) continue;
          prepared.set(block as PictureBlock, await preparePicture(data, rules));
        }
        done.add(message);
      }
    },
  };
}

function blocksOf(message: Message): readonly ToolContent[] {
  switch (message.role) {
    case "user":
      return message.content;
    case "assistant":
      return [];
    case "tool":
      return message.content.flatMap((response) => response.content);
    default:
      return message satisfies never;
  }
}

function pictureData(block: ToolContent): string | undefined {
  if (block.type === "image") return isFor("assistant", block.annotations) ? block.data : undefined;
  if (block.type !== "resource" || !("blob" in block.resource)) return undefined;
  const isPicture = /^image\//i.test(block.resource.mimeType ?? "");
  return isPicture && isFor("assistant", block.annotations) ? block.resource.blob : undefined;
}
