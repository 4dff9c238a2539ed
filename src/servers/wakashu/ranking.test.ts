import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { toPlainJson, toToolResult } from "./answer.ts";
import { sampleRoot } from "./package-root.ts";
import { outline, ranking, type TempCollection, tempCollection } from "./temp-collection.ts";

let temp: TempCollection;
beforeEach(() => {
  temp = tempCollection();
});
afterEach(() => temp.remove());

describe("getRanking", () => {
  test("E3: each rank is a head line, its picture and its words, in the document's form", async () => {
    temp.post(1, 1, "Laptop", {
      account: "Laptop",
      text: "正々堂々",
      urls: ["https://www.youtube.com/watch?v=1", "https://www.amazon.co.jp/x"],
      prompt: "横を向いたカマキリのイラストを描いてください！",
    });
    temp.post(1, 2, "Wakashu", { account: "@Wakashu", text: "二首目" });
    const answer = await ranking(temp.root)(1, 1, 2);
    expect(outline(answer)).toEqual([
      "1位：@Laptop",
      "[image/png Picture1.png]",
      '"正々堂々"\nhttps://www.youtube.com/watch?v=1\nhttps://www.amazon.co.jp/x\nジャケット生成に使ったプロンプト\n「横を向いたカマキリのイラストを描いてください！」',
      "2位：@Wakashu",
      "[image/png Picture2.png]",
      '"二首目"',
    ]);
    expect(answer.isError).toBe(false);
  });

  test("E3: the picture is the file: its URI, its name, its bytes", async () => {
    temp.post(1, 1, "Laptop");
    const [, block] = toToolResult(await ranking(temp.root)(1, 1, 1)).content;
    const file = join(temp.root, "第1回/1-Laptop/Picture1.png");
    expect(block).toEqual({
      type: "resource",
      resource: {
        uri: `file://${encodeURI(file)}`,
        name: "Picture1.png",
        mimeType: "image/png",
        blob: readFileSync(file).toString("base64"),
        _meta: { name: "Picture1.png" },
      },
    });
  });

  test("the plain rendering is the document's JSON with its URIs readable", async () => {
    temp.post(1, 1, "Laptop");
    const answer = await ranking(temp.root)(1, 1, 1);
    const plain = JSON.parse(Buffer.concat(toPlainJson(answer)).toString());
    expect(Object.keys(plain)).toEqual(["content", "isError"]);
    expect(plain.content[1].resource.uri).toBe(`file://${temp.root}/第1回/1-Laptop/Picture1.png`);
    const spelled = { ...plain.content[1].resource, uri: encodeURI(plain.content[1].resource.uri) };
    expect(toToolResult(answer).content[1]).toMatchObject({ type: "resource", resource: spelled });
  });

  test("quotes that are already there are not doubled", async () => {
    temp.post(1, 1, "a", { account: "a", text: '"引用"', prompt: "「絵」" });
    temp.post(1, 2, "b", { account: "b", text: "x", prompt: "「甲」と「乙」" });
    const texts = outline(await ranking(temp.root)(1, 1, 2));
    expect(texts[2]).toBe('"引用"\nジャケット生成に使ったプロンプト\n「絵」');
    expect(texts[5]).toBe('"x"\nジャケット生成に使ったプロンプト\n「「甲」と「乙」」');
  });

  test("structured content says the same for programs, without the pictures' bytes", async () => {
    temp.post(1, 1, "Laptop");
    const { structuredContent } = toToolResult(await ranking(temp.root)(1, 1, 3));
    expect(structuredContent).toEqual({
      wakashuName: expect.any(String),
      edition: 1,
      rankStart: 1,
      rankEnd: 1,
      posts: [
        {
          rank: 1,
          account: "Laptop",
          text: "Laptopの歌",
          urls: [],
          prompt: "Laptopの絵",
          picture: {
            uri: `file://${encodeURI(`${temp.root}/第1回/1-Laptop/Picture1.png`)}`,
            name: "Picture1.png",
            mimeType: "image/png",
            bytes: expect.any(Number),
            form: "original",
          },
          uri: expect.stringMatching(/^wakashu:\/\/post\/[!-~]+\/1\/1$/),
          notes: [],
        },
      ],
      notes: [expect.stringContaining("2位から3位の投稿はありません。")],
    });
  });
});

describe("ranges", () => {
  beforeEach(() => {
    for (const rank of [1, 2, 3, 7]) temp.post(1, rank, `p${rank}`);
  });
  const heads = (texts: string[]) => texts.filter((text) => /^\d+位：|^※/.test(text));

  test("reversed: given in the order of the ranks, and said", async () => {
    const texts = heads(outline(await ranking(temp.root)(1, 3, 1)));
    expect(texts).toEqual([
      expect.stringContaining("開始順位（3）が終了順位（1）より後"),
      "1位：@p1",
      "2位：@p2",
      "3位：@p3",
    ]);
  });

  test("gaps are said in their place, as one line each", async () => {
    const texts = heads(outline(await ranking(temp.root)(1, 2, 7)));
    expect(texts).toEqual(["2位：@p2", "3位：@p3", "※ 4位から6位の投稿はありません。", "7位：@p7"]);
  });

  test("beyond the end: what is there is given and the end is said; huge costs no more", async () => {
    const texts = heads(outline(await ranking(temp.root)(1, 7, 1_000_000_000)));
    expect(texts).toEqual([
      "7位：@p7",
      expect.stringMatching(/8位から1000000000位の投稿はありません。.*1位から7位まで/),
    ]);
  });

  test("negative and zero: from the first rank on, and said; wholly negative is an error", async () => {
    const texts = heads(outline(await ranking(temp.root)(1, -5, 1)));
    expect(texts).toEqual(["※ 順位は1位からなので、1位から載せます。", "1位：@p1"]);
    expect(await ranking(temp.root)(1, -5, 0)).toMatchObject({ isError: true });
  });

  test("nothing in the range is an error that says what there is", async () => {
    const answer = await ranking(temp.root)(1, 4, 6);
    expect(answer.isError).toBe(true);
    expect(outline(answer)[0]).toMatch(/^4位から6位の投稿はありません。.*1位から7位まで/);
  });

  test("numbers as words: 第1回, 1位, full width", async () => {
    expect(heads(outline(await ranking(temp.root)("第１回", "1位", "２")))).toEqual(["1位：@p1", "2位：@p2"]);
  });

  test("arguments that are missing or no numbers are an error that names them", async () => {
    const answer = await ranking(temp.root)("いつか", 1, undefined);
    expect(answer.isError).toBe(true);
    expect(outline(answer)[0]).toMatch(/edition.*整数[\s\S]*rankEnd.*整数/);
  });
});

describe("E6: faults are said where they are, and the rest is given", () => {
  test("a missing edition is an error that names those there are", async () => {
    temp.post(1, 1, "a");
    temp.post(3, 1, "a");
    const answer = await ranking(temp.root)(9, 1, 3);
    expect(answer.isError).toBe(true);
    expect(outline(answer)[0]).toMatch(/第9回はありません。ある回：第1回、第3回/);
  });

  test("an unknown collection is an error that names those there are", async () => {
    temp.post(1, 1, "a");
    temp.write("collection.json", '{"name":"遠慮"}');
    const answer = await ranking(temp.root)(1, 1, 1, "百人一首");
    expect(outline(answer)[0]).toBe("和歌集「百人一首」は見つかりません。ある和歌集：「遠慮」");
  });

  test("a missing picture, a missing text and broken JSON leave the other posts alone", async () => {
    for (const rank of [1, 2, 3, 4]) temp.post(1, rank, `p${rank}`);
    rmSync(join(temp.root, "第1回/1-p1/Picture1.png"));
    rmSync(join(temp.root, "第1回/2-p2/TextData2.json"));
    writeFileSync(join(temp.root, "第1回/3-p3/TextData3.json"), '{"text": ');
    const answer = await ranking(temp.root)(1, 1, 4);
    expect(answer.isError).toBe(false);
    expect(outline(answer)).toEqual([
      "1位：@p1",
      "※ 画像（Picture1.png など）がありません。",
      '"p1の歌"\nジャケット生成に使ったプロンプト\n「p1の絵」',
      "2位：@p2",
      "[image/png Picture2.png]",
      "※ TextData2.json がありません。",
      "3位：@p3",
      "[image/png Picture3.png]",
      "※ TextData3.json は正しい JSON ではありません（途中で終わっています）。",
      "※ アカウント名が分からないので、フォルダーの名前を使いました。",
      "4位：@p4",
      "[image/png Picture4.png]",
      '"p4の歌"\nジャケット生成に使ったプロンプト\n「p4の絵」',
    ]);
  });

  test("when nothing of any post can be read it is an error", async () => {
    temp.write("第1回/1-a/readme.txt", "x");
    expect(await ranking(temp.root)(1, 1, 1)).toMatchObject({ isError: true });
  });

  test("an empty edition and a root without collections say what is needed", async () => {
    temp.write("第1回/readme.txt", "x");
    expect(outline(await ranking(temp.root)(1, 1, 1))[0]).toMatch(/「順位-名前」/);
    expect(outline(await ranking(join(temp.root, "nowhere"))(1, 1, 1))[0]).toMatch(/--root/);
  });
});

describe("a change on the disk", () => {
  test("is in the next answer, even one of the same length in the same moment", async () => {
    temp.post(1, 1, "a", { account: "a", text: "前の歌" });
    const call = ranking(temp.root);
    const body = async () => outline(await call(1, 1, 1))[2];
    expect(await body()).toBe('"前の歌"');
    for (const text of ["次の歌", "別の歌", "前の歌"]) {
      temp.post(1, 1, "a", { account: "a", text });
      expect(await body()).toBe(`"${text}"`);
    }
  });
});

describe("the sample collection", () => {
  test("answers the document's request", async () => {
    const answer = await ranking(sampleRoot() ?? "")(1, 1, 3, "遠慮したラップトップ和歌集");
    expect(outline(answer).filter((_, index) => index % 3 !== 2)).toEqual([
      "1位：@Laptop",
      "[image/png Picture1.png]",
      "2位：@Wakashu",
      "[image/jpeg Picture2.jpg]",
      "3位：@Kari",
      "[image/webp Picture3.webp]",
    ]);
  });
});
