import { describe, expect, test } from "vitest";
import { array, filled, integer, string } from "./example-filling.ts";

describe("text", () => {
  test("quoted text goes to the parameter named beside it", () => {
    const schema = { subject: string("The subject of the email"), body: string("The body of the email") };
    expect(filled("with the subject 'Meeting' and body 'See you at noon'", schema)).toEqual({
      subject: "Meeting",
      body: "See you at noon",
    });
    expect(filled("題名は「会議」、本文は「正午に」", { 題名: string(), 本文: string() })).toEqual({
      題名: "会議",
      本文: "正午に",
    });
  });

  test("places follow their prepositions, people and companies their words", () => {
    expect(filled("the weather in Tokyo", { location: string() })).toEqual({ location: "Tokyo" });
    expect(filled("東京の天気", { location: string("都市") }, "weather: Get the weather")).toEqual({
      location: "東京",
    });
    const trip = { start_location: string(), end_location: string() };
    expect(filled("directions from Sydney to Melbourne", trip)).toEqual({
      start_location: "Sydney",
      end_location: "Melbourne",
    });
    expect(
      filled("東京から京都までの経路", { 出発地: string("出発する場所"), 到着地: string("到着する場所") }),
    ).toEqual({
      出発地: "東京",
      到着地: "京都",
    });
    expect(
      filled("How many goals has Lionel Messi scored for Barcelona", {
        player_name: string(),
        team_name: string(),
      }),
    ).toEqual({ player_name: "Lionel Messi", team_name: "Barcelona" });
  });

  test("a place is cut into city and country where both are asked for, and kept whole where one is", () => {
    expect(filled("in Tokyo, Japan", { city: string(), country: string() })).toEqual({
      city: "Tokyo",
      country: "Japan",
    });
    const both = { location: string("The city and state, e.g. San Francisco, CA") };
    expect(filled("weather in Seattle, Washington", both)).toEqual({ location: "Seattle, Washington" });
    expect(filled("weather in Boston", both)).toEqual({ location: "Boston, MA" });
  });

  test("names of countries, languages and currencies become codes where codes are wanted", () => {
    expect(filled("holidays in France", { country: string("ISO country code") })).toEqual({ country: "FR" });
    expect(filled("to Japanese", { language: string("Target language code") })).toEqual({ language: "ja" });
    const money = { amount: integer(), from_currency: string(), to_currency: string() };
    const expected = { amount: 500, from_currency: "USD", to_currency: "JPY" };
    expect(filled("how many yen can I get for 500 US dollars", money)).toEqual(expected);
    expect(filled("convert 500 dollars to yen", money)).toEqual(expected);
  });

  test("dates are written as the parameter wants them", () => {
    expect(filled("on August 16, 2022", { date: string("Date (MM-DD-YYYY)") })).toEqual({
      date: "08-16-2022",
    });
    expect(filled("明日の予定", { date: string("日付 YYYY-MM-DD") })).toEqual({ date: "2025-01-16" });
    expect(filled("at 3pm", { time: string("Start time (HH:MM)") })).toEqual({ time: "15:00" });
  });

  test("paths, URLs, addresses and identifiers are known by their form", () => {
    expect(filled("read ./src/index.ts", { path: string("Path to the file") })).toEqual({
      path: "./src/index.ts",
    });
    expect(filled("list files in src", { path: string("Directory") }, "list_files: List files")).toEqual({
      path: "src",
    });
    expect(filled("srcのファイル一覧", { path: string("Directory") }, "list_files: List files")).toEqual({
      path: "src",
    });
    expect(filled("fetch https://example.com", { url: string() })).toEqual({ url: "https://example.com" });
    expect(filled("mail John at john@example.com", { to: string("E-mail address") })).toEqual({
      to: "john@example.com",
    });
    expect(filled("SNP (polymorphism) ID rs6034464", { snp_id: string() })).toEqual({ snp_id: "rs6034464" });
    expect(
      filled("move a.txt to b.txt", {
        source: string("Source path"),
        destination: string("Destination path"),
      }),
    ).toEqual({
      source: "a.txt",
      destination: "b.txt",
    });
  });

  test("a file is no folder to list", () => {
    expect(filled("show package.json", { "path?": string("Directory to list") })).toEqual({});
  });

  test("the tool's own words are no values, and are cut off the ends of phrases", () => {
    expect(
      filled(
        "find sushi restaurants in Boston",
        { cuisine: string(), city: string() },
        "find_restaurants: Find restaurants",
      ),
    ).toEqual({
      cuisine: "sushi",
      city: "Boston",
    });
    expect(
      filled("get the ranking", { name: string() }, "get_ranking: Get the ranking")["name"],
    ).toBeUndefined();
  });

  test("what to search for and what to run is the rest of the sentence", () => {
    expect(
      filled("search the web for best pizza places in Rome", { query: string() }, "search: Search the web"),
    ).toEqual({
      query: "best pizza places in Rome",
    });
    expect(filled("run npm test", { command: string() }, "shell: Run a command")).toEqual({
      command: "npm test",
    });
    expect(
      filled("remember that I like tea", { data: string("What to remember") }, "remember: Store a memory"),
    ).toEqual({
      data: "I like tea",
    });
    expect(
      filled("add buy milk to my todo list", { content: string("Content") }, "todo: Manage the todo list"),
    ).toEqual({
      content: "buy milk",
    });
  });

  test("in Japanese it is what stands before を", () => {
    expect(filled("git status を実行して", { command: string() }, "shell: Run a command")).toEqual({
      command: "git status",
    });
    expect(filled("ウェブで雁の和歌を検索して", { query: string() }, "search: Search the web")).toEqual({
      query: "雁の和歌",
    });
  });

  test("nothing is run that nobody said to run", () => {
    expect(
      filled("weather in Tokyo", { command: string() }, "shell: Run a command")["command"],
    ).not.toContain(" in ");
  });

  test("owner/name fills a repository's two parts", () => {
    expect(filled("issues of octocat/hello-world", { owner: string(), repo: string() })).toEqual({
      owner: "octocat",
      repo: "hello-world",
    });
  });
});

describe("choices", () => {
  test("an enum is chosen by value, by other words and by meaning, in either language", () => {
    const unit = { "unit?": string("", { enum: ["celsius", "fahrenheit"] }) };
    expect(filled("the weather in celsius", unit)).toEqual({ unit: "celsius" });
    const order = {
      order: string("'asc' for ascending order, 'desc' for descending order", { enum: ["asc", "desc"] }),
    };
    expect(filled("sort in descending order", order)).toEqual({ order: "desc" });
    const command = { command: string("", { enum: ["view", "write", "undo_edit"] }) };
    expect(filled("show package.json", command)).toEqual({ command: "view" });
    expect(filled("package.jsonを表示して", command)).toEqual({ command: "view" });
    expect(filled("undo that", command)).toEqual({ command: "undo_edit" });
  });

  test("values that a description lists are chosen too", () => {
    const format = { "format?": string("Can be 'list' or 'dictionary'. Default is 'list'.") };
    expect(filled("return them in the form of a dictionary", format)).toEqual({ format: "dictionary" });
    const genre = { "genre?": string("Genre, e.g. rock, jazz, pop") };
    expect(filled("play some jazz", genre)).toEqual({ genre: "jazz" });
  });

  test("a word outside an enum is never made up", () => {
    expect(filled("in kelvin", { unit: string("", { enum: ["celsius", "fahrenheit"] }) })).toEqual({});
  });

  test("several choices fill a list, in the order of the request", () => {
    const details = { details: array(string("", { enum: ["area", "elevation", "location"] })) };
    expect(filled("the elevation and area of the park", details)).toEqual({ details: ["elevation", "area"] });
  });
});
