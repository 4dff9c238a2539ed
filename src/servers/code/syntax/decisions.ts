/**
 * What a decision and a function are in a syntax tree, as tree-sitter queries, one entry for each grammar.
 * `@decision` counts one, `@function` is a function of its own, `@skip` is a stretch in which nothing counts
 * (the condition of an `#if`), `@operator` counts behind an operand only, `@default` is a case that takes the rest and so decides nothing.
 */
const JS = `
[(if_statement) (for_statement) (for_in_statement) (while_statement) (do_statement) (switch_case) (catch_clause)
 (ternary_expression)] @decision
(binary_expression operator: ["&&" "||" "??"]) @decision
(augmented_assignment_expression operator: ["&&=" "||=" "??="]) @decision
[(function_declaration) (function_expression) (arrow_function) (method_definition) (generator_function)
 (generator_function_declaration)] @function`;

const C = `
[(if_statement) (for_statement) (while_statement) (do_statement) (conditional_expression)] @decision
(case_statement "case") @decision
(binary_expression operator: ["&&" "||"]) @decision
(function_definition body: (compound_statement)) @function
(preproc_if condition: (_) @skip)
(preproc_elif condition: (_) @skip)`;

export const DECISIONS: Readonly<Record<string, string>> = {
  javascript: JS,
  typescript: JS,
  tsx: JS,
  python: `
[(if_statement) (elif_clause) (for_statement) (while_statement) (except_clause) (conditional_expression)
 (for_in_clause) (if_clause) (boolean_operator) (case_clause)] @decision
(case_clause "case" . (case_pattern) @default . ":" (#eq? @default "_"))
[(function_definition) (lambda)] @function`,
  go: `
[(if_statement) (for_statement) (expression_case) (type_case) (communication_case)] @decision
(binary_expression operator: ["&&" "||"]) @decision
[(function_declaration body: (_)) (method_declaration body: (_)) (func_literal)] @function`,
  java: `
[(if_statement) (for_statement) (enhanced_for_statement) (while_statement) (do_statement) (catch_clause)
 (ternary_expression)] @decision
(switch_label "case") @decision
(binary_expression operator: ["&&" "||"]) @decision
(method_declaration body: (_)) @function
[(constructor_declaration) (compact_constructor_declaration) (lambda_expression)] @function`,
  c: C,
  cpp: `${C}
[(for_range_loop) (catch_clause)] @decision
(binary_expression operator: ["and" "or"]) @decision
(lambda_expression) @function`,
  "c-sharp": `
[(if_statement) (for_statement) (foreach_statement) (while_statement) (do_statement) (catch_clause)
 (conditional_expression) (switch_expression_arm)] @decision
(switch_section "case") @decision
(binary_expression operator: ["&&" "||" "??"]) @decision
(assignment_expression operator: "??=") @decision
(switch_expression_arm . (discard) @default . "=>")
(preproc_if condition: (_) @skip)
(preproc_elif condition: (_) @skip)
[(lambda_expression) (anonymous_method_expression)] @function
[(method_declaration body: (_)) (constructor_declaration body: (_)) (local_function_statement body: (_))
 (destructor_declaration body: (_)) (operator_declaration body: (_)) (conversion_operator_declaration body: (_))
 (accessor_declaration body: (_))] @function
[(property_declaration (arrow_expression_clause)) (indexer_declaration (arrow_expression_clause))] @function`,
  php: `
[(if_statement) (else_if_clause) (for_statement) (foreach_statement) (while_statement) (do_statement)
 (case_statement) (catch_clause) (conditional_expression) (match_conditional_expression)] @decision
(binary_expression operator: ["&&" "||" "and" "or" "??"]) @decision
(augmented_assignment_expression operator: "??=") @decision
[(function_definition) (method_declaration body: (_)) (anonymous_function) (arrow_function)] @function`,
  ruby: `
[(if) (elsif) (unless) (if_modifier) (unless_modifier) (while) (until) (while_modifier) (until_modifier) (for)
 (when) (in_clause) (rescue) (rescue_modifier) (conditional) (if_guard) (unless_guard)] @decision
(binary operator: ["&&" "||" "and" "or"]) @decision
(operator_assignment operator: ["&&=" "||="]) @decision
[(method) (singleton_method) (lambda)] @function`,
  rust: `
[(if_expression) (for_expression) (while_expression) (loop_expression) (match_arm)] @decision
(match_arm pattern: (match_pattern) @default (#eq? @default "_"))
(match_pattern condition: (_)) @decision
(binary_expression operator: ["&&" "||"]) @decision
(let_chain "&&" @decision)
(token_tree ["if" "while" "loop"] @decision)
(token_tree "for" @decision . [(identifier) (token_tree) "_"] . ((identifier) @in (#eq? @in "in")))
(token_tree ["||" "&&"] @operator)
[(function_item) (closure_expression)] @function
(token_tree "fn" @function . (identifier))`,
  bash: `
[(if_statement) (elif_clause) (while_statement) (for_statement) (c_style_for_statement) (case_item)] @decision
(case_item . (_) @default . ")" (#eq? @default "*"))
(case_item . "(" . (_) @default . ")" (#eq? @default "*"))
["&&" "||"] @decision
(ternary_expression) @decision
(function_definition) @function`,
  powershell: `
[(if_statement) (elseif_clause) (for_statement) (foreach_statement) (while_statement) (do_statement)
 (catch_clause)] @decision
["-and" "-or" "&&" "||"] @decision
(function_statement) @function`,
};
