/**
 * Which grammar reads which language, and which of its nodes are definitions worth a line in an outline.
 * The grammars come as WebAssembly with the package @vscode/tree-sitter-wasm; C is read by the grammar of C++.
 */
export type DefinitionKind =
  | "class"
  | "interface"
  | "struct"
  | "enum"
  | "trait"
  | "type"
  | "namespace"
  | "function"
  | "method"
  | "property"
  | "section";

export interface Grammar {
  /** As in `tree-sitter-<name>.wasm`. */
  readonly name: string;
  readonly definitions: Readonly<Record<string, DefinitionKind>>;
}

const JS_DEFINITIONS: Grammar["definitions"] = {
  class_declaration: "class",
  function_declaration: "function",
  generator_function_declaration: "function",
  method_definition: "method",
  variable_declarator: "function",
  field_definition: "method",
  public_field_definition: "method",
  pair: "function",
};

const TS_DEFINITIONS: Grammar["definitions"] = {
  ...JS_DEFINITIONS,
  abstract_class_declaration: "class",
  interface_declaration: "interface",
  type_alias_declaration: "type",
  enum_declaration: "enum",
  internal_module: "namespace",
  module: "namespace",
  function_signature: "function",
  abstract_method_signature: "method",
};

const GRAMMARS: Readonly<Record<string, Grammar>> = {
  javascript: { name: "javascript", definitions: JS_DEFINITIONS },
  typescript: { name: "typescript", definitions: TS_DEFINITIONS },
  tsx: { name: "tsx", definitions: TS_DEFINITIONS },
  python: { name: "python", definitions: { class_definition: "class", function_definition: "function" } },
  java: {
    name: "java",
    definitions: {
      class_declaration: "class",
      interface_declaration: "interface",
      enum_declaration: "enum",
      record_declaration: "class",
      annotation_type_declaration: "interface",
      method_declaration: "method",
      constructor_declaration: "method",
      compact_constructor_declaration: "method",
    },
  },
  go: {
    name: "go",
    definitions: {
      function_declaration: "function",
      method_declaration: "method",
      type_spec: "type",
      type_alias: "type",
    },
  },
  cpp: {
    name: "cpp",
    definitions: {
      function_definition: "function",
      class_specifier: "class",
      struct_specifier: "struct",
      union_specifier: "struct",
      enum_specifier: "enum",
      namespace_definition: "namespace",
      concept_definition: "type",
      alias_declaration: "type",
    },
  },
  csharp: {
    name: "c-sharp",
    definitions: {
      namespace_declaration: "namespace",
      class_declaration: "class",
      interface_declaration: "interface",
      struct_declaration: "struct",
      record_declaration: "class",
      enum_declaration: "enum",
      delegate_declaration: "type",
      method_declaration: "method",
      constructor_declaration: "method",
      destructor_declaration: "method",
      property_declaration: "property",
      local_function_statement: "function",
    },
  },
  php: {
    name: "php",
    definitions: {
      namespace_definition: "namespace",
      class_declaration: "class",
      interface_declaration: "interface",
      trait_declaration: "trait",
      enum_declaration: "enum",
      function_definition: "function",
      method_declaration: "method",
    },
  },
  ruby: {
    name: "ruby",
    definitions: { class: "class", module: "namespace", method: "method", singleton_method: "method" },
  },
  rust: {
    name: "rust",
    definitions: {
      mod_item: "namespace",
      struct_item: "struct",
      union_item: "struct",
      enum_item: "enum",
      trait_item: "trait",
      impl_item: "class",
      type_item: "type",
      function_item: "function",
      function_signature_item: "function",
      macro_definition: "function",
    },
  },
  shell: { name: "bash", definitions: { function_definition: "function" } },
  powershell: {
    name: "powershell",
    definitions: {
      function_statement: "function",
      class_statement: "class",
      enum_statement: "enum",
      class_method_definition: "method",
    },
  },
  css: {
    name: "css",
    definitions: { rule_set: "section", media_statement: "section", keyframes_statement: "section" },
  },
  ini: { name: "ini", definitions: { section: "section" } },
};

/** Languages that are read by another's grammar. */
const SHARED: Readonly<Record<string, string>> = {
  c: "cpp",
  cuda: "cpp",
  "objective-c": "cpp",
  starlark: "python",
  properties: "ini",
};

export function grammarFor(language: string, path: string): Grammar | undefined {
  if (language === "typescript" && path.toLowerCase().endsWith(".tsx")) return GRAMMARS["tsx"];
  return GRAMMARS[SHARED[language] ?? language];
}

/** Languages an outline can be made of, for messages. */
export function outlineLanguages(): string[] {
  return [
    ...Object.keys(GRAMMARS).filter((name) => name !== "tsx"),
    ...Object.keys(SHARED),
    "markdown",
  ].sort();
}
