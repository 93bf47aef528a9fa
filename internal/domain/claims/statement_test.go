package claims

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/text"
)

func TestStatement(t *testing.T) {
	for claim, want := range map[string]string{
		"The average low is 56 degrees (passage 1).":     "The average low is 56 degrees .",
		"According to document 2, fees are due monthly.": "fees are due monthly.",
		"Passage 3 states that fees are due monthly.":    "fees are due monthly.",
		"Therefore, fees are due monthly.":               "fees are due monthly.",
		"Option 2: Pay by card.":                         "Pay by card.",
		"Yes, leave is granted.":                         "leave is granted.",
		"Based on the provided passages, fees are due.":  "fees are due.",
		"The text has 30 pages.":                         "The text has 30 pages.",
		"The Article 5 fee is 20 riyals.":                "The Article 5 fee is 20 riyals.",
		"The web page states that fees are due monthly.": "fees are due monthly.",
		"This document confirms that 3 fees are due.":    "3 fees are due.",
		"The report states that fees are due monthly.":   "The report states that fees are due monthly.",
		"تنص الوثيقة على أن الرسوم تدفع شهريا.":          "الرسوم تدفع شهريا.",
		"يشير المصدر إلى أن الرسوم شهرية.":               "الرسوم شهرية.",
		"However, 3 sources":                             "3 sources",
		"لذلك، تدفع الرسوم شهريا.":                       "تدفع الرسوم شهريا.",
		"Passage 1": "Passage 1",
	} {
		require.Equal(t, want, strings.Join(strings.Fields(Statement(claim)), " "), claim)
	}
}

// An answer of a word, a name or a figure to a question is one claim; what it states is said with the question's words.
func TestShortAnswers(t *testing.T) {
	for _, c := range []struct{ question, answer, claim, states string }{
		{question: "In which month does the fiscal year begin?", answer: "April", claim: "April",
			states: "the fiscal year begin April"},
		{question: "What is the highest peak of Oman?", answer: "**Jebel Shams**.", claim: "Jebel Shams",
			states: "Jebel Shams is the highest peak of Oman"},
		{question: "How many seats does the council have?", answer: "40", claim: "40",
			states: "the council have 40 seats"},
		{question: "How long is the probation?", answer: "six months", claim: "six months",
			states: "the probation is six months"},
		{question: "Who founded the library?", answer: "<think>It may be Ali.</think>\nLayla Haddad", claim: "Layla Haddad",
			states: "Layla Haddad founded the library"},
		{question: "ما عاصمة عُمان؟", answer: "مسقط.", claim: "مسقط",
			states: "عاصمة عُمان مسقط"},
		{question: "Name the river.", answer: "Orontes", claim: "Orontes",
			states: "Name the river Orontes"},
		{question: "Who is @layla of the library?", answer: "Layla Haddad", claim: "Layla Haddad",
			states: "Layla Haddad is @layla of the library"},
		{question: "When was @layla born?", answer: "1889", claim: "1889", states: "@layla born was 1889"},
	} {
		got := OfAnswer(c.question, c.answer)
		require.Len(t, got, 1, c.answer)
		require.Equal(t, c.claim, got[0].Text)
		require.Contains(t, text.Slice(c.answer, *got[0].Span), c.claim)
		require.Equal(t, c.states, WithQuestion(c.question, got[0].Text))
	}
	for _, nothing := range []string{"Yes.", "No", "نعم", "Hello!", "I don't know.", "Which one?", "لا أعلم", "…", ""} {
		require.Empty(t, OfAnswer("Is the fee due?", nothing), nothing)
	}
	require.Empty(t, OfAnswer("", "1889"), "without a question it states nothing")
}
