// Package llm asks models and scorers over HTTP: judges of the OpenAI and Anthropic shapes, and scorers of pairs.
// What is asked, and what an answer is worth, is decided by domain/judge/pointer (rule SEC-27).
package llm
