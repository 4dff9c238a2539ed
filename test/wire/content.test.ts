/** What of each kind of content the model is really told, in each wire format. */
import { describe, expect, test } from "vitest";
import type { Message } from "../../src/conversation/index.ts";
import type { Turn } from "./read-body.ts";
import { ask, CASES, PICTURE, resultOf, toolTurn, type WireCase } from "./wire-case.ts";

describe.each(CASES)("$format", (wire: WireCase) => {
  test("a picture in a user turn arrives as a picture, untouched", async () => {
    const picture = { type: "image", mimeType: "image/png", data: PICTURE } as const;
    const messages: Message[] = [{ role: "user", content: [{ type: "text", text: "what is it?" }, picture] }];
    const { reading } = await ask(wire, [{ text: "grey" }], { messages });
    expect(reading.turns).toEqual([
      { role: "user", text: "what is it?", images: [{ mimeType: "image/png", data: PICTURE }], audio: [] },
    ]);
  });

  test("a picture in a tool result arrives as a picture, in the result or right after it", async () => {
    const content = [
      { type: "text", text: "the screen" },
      { type: "image", mimeType: "image/png", data: PICTURE },
    ] as const;
    const { reading, llm } = await ask(wire, [{ text: "ok" }], { messages: toolTurn({ content }) });
    const image = { mimeType: "image/png", data: PICTURE };
    if (wire.format === "openai-chat") {
      expect(resultOf(reading)).toMatchObject({
        text: expect.stringContaining("the screen"),
        images: [],
      });
      expect(reading.turns.at(-1)).toMatchObject({ role: "user", images: [image] });
      expect((reading.turns.at(-1) as { text: string }).text).toContain("shop__find");
    } else expect(resultOf(reading)).toMatchObject({ text: "the screen", images: [image] });
    expect(llm.requests[0]?.raw.split(PICTURE).length, "sent once").toBe(2);
  });

  test("R26: a failed call with a picture says that it failed and shows the picture", async () => {
    const content = [
      { type: "text", text: "no such button" },
      { type: "image", mimeType: "image/png", data: PICTURE },
    ] as const;
    const { reading } = await ask(wire, [{ text: "ok" }], {
      messages: toolTurn({ content, isError: true }),
    });
    const failed = resultOf(reading);
    if (failed?.isError === undefined) expect(failed?.text).toContain("[the tool call failed]");
    else expect(failed.isError).toBe(true);
    const pictures = reading.turns.flatMap((turn) => {
      if (turn.role === "user") return turn.images;
      return turn.role === "tool" ? turn.results.flatMap((each) => each.images) : [];
    });
    expect(pictures).toEqual([{ mimeType: "image/png", data: PICTURE }]);
  });

  test("isError is said in the format's own way, or in words", async () => {
    const content = [{ type: "text", text: "no such file" }] as const;
    const { reading } = await ask(wire, [{ text: "ok" }], {
      messages: toolTurn({ content, isError: true }),
    });
    const words = "[the tool call failed]\nno such file";
    const expected = {
      "openai-chat": { text: words, isError: undefined },
      "openai-responses": { text: words, isError: undefined },
      anthropic: { text: "no such file", isError: true },
      google: { text: "no such file", isError: true },
    };
    expect(resultOf(reading)).toMatchObject(expected[wire.format]);
    const fine = await ask(wire, [{ text: "ok" }], { messages: toolTurn({ content }) });
    expect(resultOf(fine.reading)?.isError ?? false).toBe(false);
  });

  test("an embedded blob is a picture, a text, or a line that says what it is", async () => {
    const blob = (uri: string, mimeType: string, bytes: string) =>
      ({ type: "resource", resource: { uri, mimeType, blob: bytes } }) as const;
    const base64 = (text: string) => Buffer.from(text).toString("base64");
    const content = [
      blob("file:///p.png", "image/png", PICTURE),
      blob("file:///歌.txt", "text/plain; charset=utf-8", base64("春過ぎて")),
      blob("file:///a.zip", "application/zip", base64("PK\u0003\u0004")),
      { type: "resource", resource: { uri: "memo://1", text: "夏来にけらし" } },
    ] as const;
    const { reading } = await ask(wire, [{ text: "ok" }], { messages: toolTurn({ content }) });
    const text = resultOf(reading)?.text ?? "";
    expect(text).toContain("[resource file:///歌.txt (text/plain)]\n春過ぎて");
    expect(text).toContain("[resource (application/zip, 4 bytes, file:///a.zip): not shown, it is binary]");
    expect(text).toContain("[resource memo://1 (text/plain)]\n夏来にけらし");
    const images = reading.turns.flatMap((turn) => (turn.role === "user" ? turn.images : []));
    expect([...images, ...(resultOf(reading)?.images ?? [])]).toEqual([
      { mimeType: "image/png", data: PICTURE },
    ]);
  });

  test("a resource link keeps its address, name, type and size", async () => {
    const link = {
      uri: "file:///r.pdf",
      name: "report",
      mimeType: "application/pdf",
      size: 1234,
      description: "今年",
    };
    const content = [{ type: "resource-link", link }] as const;
    const { reading } = await ask(wire, [{ text: "ok" }], { messages: toolTurn({ content }) });
    expect(resultOf(reading)?.text).toBe(
      "[resource link: report, file:///r.pdf (application/pdf, 1234 bytes)] 今年",
    );
  });

  test("R25: structuredContent goes beside the content, and not twice", async () => {
    const structuredContent = { total: 2, 歌人: ["額田王", "人麻呂"] };
    const beside = toolTurn({ content: [{ type: "text", text: "two" }], structuredContent });
    const { reading } = await ask(wire, [{ text: "ok" }], { messages: beside });
    expect(resultOf(reading)?.text).toBe(`two\n${JSON.stringify(structuredContent)}`);
    const same = '{ "歌人": ["額田王", "人麻呂"], "total": 2 }';
    const twice = toolTurn({ content: [{ type: "text", text: same }], structuredContent });
    expect(resultOf((await ask(wire, [{ text: "ok" }], { messages: twice })).reading)?.text).toBe(same);
    const picture = { type: "image", mimeType: "image/png", data: PICTURE } as const;
    const withBytes = toolTurn({
      content: [picture],
      structuredContent: { screenshot: PICTURE, width: 8 },
    });
    const { llm } = await ask(wire, [{ text: "ok" }], { messages: withBytes });
    expect(llm.requests[0]?.raw.split(PICTURE).length, "sent once").toBe(2);
  });

  test("R27: what is meant for the user alone is not sent", async () => {
    const content = [
      { type: "text", text: "for you", annotations: { audience: ["user"] } },
      { type: "text", text: "for both", annotations: { audience: ["user", "assistant"] } },
    ] as const;
    const { reading, llm } = await ask(wire, [{ text: "ok" }], { messages: toolTurn({ content }) });
    expect(resultOf(reading)?.text).toBe("for both");
    expect(llm.requests[0]?.raw).not.toContain("for you");
    const none = await ask(wire, [{ text: "ok" }], {
      messages: toolTurn({ content: content.slice(0, 1) }),
    });
    expect(resultOf(none.reading)?.text).toBe("[the result is shown to the user only]");
  });

  test("an empty result says that it is empty", async () => {
    const { reading } = await ask(wire, [{ text: "ok" }], { messages: toolTurn({}) });
    expect(resultOf(reading)?.text).toBe("[the tool returned nothing]");
  });

  test("L9: a text-only model gets a marker in place of a picture", async () => {
    const picture = { type: "image", mimeType: "image/png", data: PICTURE } as const;
    const messages = [
      { role: "user", content: [picture] },
      ...toolTurn({ content: [picture] }).slice(1),
    ] as Message[];
    const choice = { limits: { images: false } };
    const { reading, llm } = await ask(wire, [{ text: "ok" }], { messages }, { choice });
    const marker = expect.stringMatching(
      /^\[image \(image\/png, \d+ bytes\): not shown, this model reads text only\]$/,
    );
    expect(reading.turns[0]).toMatchObject({ text: marker, images: [] });
    expect(resultOf(reading)).toMatchObject({ text: marker, images: [] });
    expect(llm.requests[0]?.raw).not.toContain(PICTURE);
  });

  test("audio goes where the format takes it, and is a marker elsewhere", async () => {
    const data = Buffer.from("RIFF....WAVE").toString("base64");
    const audio = { type: "audio", mimeType: "audio/x-wav", data } as const;
    const { reading } = await ask(wire, [{ text: "ok" }], {
      messages: [{ role: "user", content: [audio] }],
    });
    const turn = reading.turns[0] as Turn & { role: "user" };
    if (wire.format === "openai-chat" || wire.format === "google") expect(turn.audio).toEqual([data]);
    else
      expect(turn.text).toBe("[audio (audio/wav, 12 bytes): not shown, this model does not take audio/wav]");
  });

  test("P27: an HTML page that calls itself a picture is not sent as one", async () => {
    const data = Buffer.from("<html><script>alert(1)</script>").toString("base64");
    const messages: Message[] = [{ role: "user", content: [{ type: "image", mimeType: "image/png", data }] }];
    const { reading } = await ask(wire, [{ text: "ok" }], { messages });
    expect(reading.turns[0]).toMatchObject({
      text: expect.stringContaining("not shown, its bytes are not a picture"),
      images: [],
    });
  });
});
