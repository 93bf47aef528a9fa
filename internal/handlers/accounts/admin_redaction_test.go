package accounts_test

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/bundle"
	"sanad/internal/domain/redact"
	"sanad/internal/handlers/webtest"
)

func patternForm(text, seen string) string {
	return url.Values{"patterns": {text}, "seen": {seen}}.Encode()
}

func TestOwnRedactionPatterns(t *testing.T) {
	s := webtest.NewServer(t)
	require.Contains(t, s.Do("GET", "/admin/redaction", "").Body.String(), "sanad-1")
	res := s.Post("/admin/redaction", patternForm("contract_no CN-[0-9]{6}\r\n\r\nfile  ملف [0-9]+ ", ""))
	require.Equal(t, 303, res.Code, res.Body.String())
	own, err := s.Store.Patterns(context.Background(), s.Tenant.ID)
	require.NoError(t, err)
	require.Equal(t, []redact.Pattern{{Kind: "contract_no", Expr: "CN-[0-9]{6}"}, {Kind: "file", Expr: "ملف [0-9]+"}},
		own)
	page := s.Do("GET", "/admin/redaction?done=saved", "").Body.String()
	require.Contains(t, page, "CN-[0-9]{6}")
	require.Contains(t, page, "Patterns saved")

	body := `{"job_input":{"extra_params":{"evidence":[{"text":"Contract CN-123456, ملف ١٢."}]}},"policy":{"enable_redaction":true}}`
	b := webtest.Get[bundle.Bundle](t, s.Do("POST", "/api/v1/bundles", body), 201)
	require.Equal(t, "Contract [REDACTED:contract_no], [REDACTED:file].", b.Items[0].Content)
	require.Contains(t, page, b.Items[0].Metadata.Redaction.Profile)
	other := webtest.Get[bundle.Bundle](t, s.As("foreign").Do("POST", "/api/v1/bundles", body), 201)
	require.Contains(t, other.Items[0].Content, "CN-123456", "another tenant has its own")

	seen := "contract_no CN-[0-9]{6}\nfile ملف [0-9]+\n"
	require.Equal(t, 303, s.Post("/admin/redaction", patternForm("", seen)).Code, "none is fine")
}

func TestRefusedPatternsKeepWhatWasTyped(t *testing.T) {
	s := webtest.NewServer(t)
	for text, want := range map[string]string{
		"good x1\nbroken":                        "Line 2: a name and an expression",
		"\nEmail x":                              "Line 2: a name must have 1 to 32",
		"email x":                                "Line 1: a name must have 1 to 32",
		"ok a+\n\n\nbad (":                       "Line 4: the expression cannot be used",
		"empty a*":                               "matches the empty text",
		strings.Repeat("k x\n", 51):              "At most 50 patterns",
		"</textarea><script>alert(1)</script> x": "Line 1",
		"large (((a{1000}){1000}){1000}){1000}":  "Line 1",
	} {
		res := s.Post("/admin/redaction", patternForm(text, ""))
		require.Equal(t, 422, res.Code, text)
		require.Contains(t, res.Body.String(), want, text)
		require.NotContains(t, res.Body.String(), "<script>alert")
		own, err := s.Store.Patterns(context.Background(), s.Tenant.ID)
		require.NoError(t, err)
		require.Empty(t, own)
	}
	require.Equal(t, 303, s.Post("/admin/redaction", patternForm("mine [0-9]{9}", "")).Code)
	res := s.Post("/admin/redaction", patternForm("yours x+", ""))
	require.Equal(t, 409, res.Code, "somebody was faster")
	require.Contains(t, res.Body.String(), "yours x+")
	require.Contains(t, res.Body.String(), "mine [0-9]{9}")
}
