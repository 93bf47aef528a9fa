package redact_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/redact"
)

func redactor(t testing.TB, own ...redact.Pattern) *redact.Redactor {
	t.Helper()
	r, err := redact.New(own)
	require.NoError(t, err)
	return r
}

func TestText(t *testing.T) {
	tests := []struct{ desc, in, want string }{
		{"nothing", "Plain text, نص عادي ١٢٣", "Plain text, نص عادي ١٢٣"},
		{"empty", "", ""},
		// e-mail
		{"e-mail", "Write to a.b+c@mail.example.com.", "Write to [REDACTED:email]."},
		{"e-mail, Arabic word joined behind", "راسل a@b.comوشكرا", "راسل [REDACTED:email]وشكرا"},
		{"e-mail, all in Arabic", "بريد: محمد@شركة.السعودية", "بريد: [REDACTED:email]"},
		{"e-mail, full-width", "a＠example．com", "[REDACTED:email]"},
		{"handle, version, file, host", "@sanad react@18.2.0 icon@2x.png user@host",
			"@sanad react@18.2.0 icon@2x.png user@host"},
		{"several", "a@b.co;c@d.org", "[REDACTED:email];[REDACTED:email]"},
		// phone
		{"Saudi mobile", "0551234567", "[REDACTED:phone]"},
		{"Saudi mobile in Arabic digits", "جوال ٠٥٥١٢٣٤٥٦٧", "جوال [REDACTED:phone]"},
		{"Saudi mobile in Persian digits", "۰۵۵۱۲۳۴۵۶۷", "[REDACTED:phone]"},
		{"Saudi mobile, groups", "055 123 4567 / 055-123-4567", "[REDACTED:phone] / [REDACTED:phone]"},
		{"Saudi, country code", "+966 55 123 4567, 00966551234567, 966551234567",
			"[REDACTED:phone], [REDACTED:phone], [REDACTED:phone]"},
		{"Saudi, trunk zero", "(+966) (0)55 123 4567", "[REDACTED:phone]"},
		{"Saudi line", "011 456 7890 and 0114567890", "[REDACTED:phone] and [REDACTED:phone]"},
		{"Saudi unified", "920012345", "[REDACTED:phone]"},
		{"abroad", "+44 20 7946 0958 or +1 (415) 555-2671", "[REDACTED:phone] or [REDACTED:phone]"},
		{"North America", "(415) 555-2671, 415-555-2671", "[REDACTED:phone], [REDACTED:phone]"},
		{"by a word only", "Tel. 4567890; هاتفه ٤٥٦٧٨٩٠", "Tel. [REDACTED:phone]; هاتفه [REDACTED:phone]"},
		{"followed by a year", "+966 55 123 4567 2024", "[REDACTED:phone] 2024"},
		{"bidi marks around and within", "\u200e+966\u00a055\u200f 1234567\u200f", "\u200e[REDACTED:phone]\u200f"},
		{"part numbers", "SKU 123-456-7890, part no 555-123-4567", "SKU 123-456-7890, part no 555-123-4567"},
		{"registration numbers", "CR 1010123456, VAT 300012345600003, السجل التجاري 1010123456",
			"CR 1010123456, VAT 300012345600003, السجل التجاري 1010123456"},
		{"dates", "call 2024-01-15, 05.12.2024 10:30", "call 2024-01-15, 05.12.2024 10:30"},
		{"amounts", "+12,345,678 and 0.0551234567", "+12,345,678 and 0.0551234567"},
		{"no such country", "+999 123 456 789", "+999 123 456 789"},
		{"a list in CSV", "1,0551234567,0559876543", "1,[REDACTED:phone],[REDACTED:phone]"},
		// IBAN
		{"IBAN", "SA0380000000608010167519", "[REDACTED:iban]"},
		{"IBAN, groups", "IBAN: SA03 8000 0000 6080 1016 7519.", "IBAN: [REDACTED:iban]."},
		{"IBAN, Arabic digits", "الآيبان SA٠٣٨٠٠٠٠٠٠٠٦٠٨٠١٠١٦٧٥١٩", "الآيبان [REDACTED:iban]"},
		{"IBAN, small letters, abroad", "gb82 west 1234 5698 7654 32", "[REDACTED:iban]"},
		{"IBAN, wrong sum", "SA0480000000608010167519", "SA0480000000608010167519"},
		{"IBAN, wrong length", "SA038000000060801016751", "SA038000000060801016751"},
		// national id and iqama: both pass Luhn
		{"national id", "National ID 1012345672", "National ID [REDACTED:national_id]"},
		{"national id in Arabic", "رقم الهوية: ١٠١٢٣٤٥٦٧٢", "رقم الهوية: [REDACTED:national_id]"},
		{"iqama", "إقامته رقم 2412345676", "إقامته رقم [REDACTED:national_id]"},
		{"iqama alone", "2412345676", "[REDACTED:national_id]"},
		{"word behind", "1012345672 (national ID)", "[REDACTED:national_id] (national ID)"},
		{"JSON field", `{"nationalId":"1012345672"}`, `{"nationalId":"[REDACTED:national_id]"}`},
		{"wrong sum", "National ID 1012345673", "National ID 1012345673"},
		{"could be a time", "1012345672", "1012345672"},
		{"is a time", "national id checked at 1012345672", "national id checked at 1012345672"},
		{"is an order", "order id 2412345676", "order id 2412345676"},
		// cards
		{"card", "4111111111111111", "[REDACTED:card]"},
		{"card, groups", "4111 1111 1111 1111, 5555-5555-5555-4444, 3782 822463 10005",
			"[REDACTED:card], [REDACTED:card], [REDACTED:card]"},
		{"card, Arabic digits", "بطاقة ٤١١١ ١١١١ ١١١١ ١١١١", "بطاقة [REDACTED:card]"},
		{"card, wrong sum", "4111111111111112", "4111111111111112"},
		{"card, no issuer", "1111111111111117", "1111111111111117"},
		{"in a hash", "a4111111111111111f 0.4111111111111111", "a4111111111111111f 0.4111111111111111"},
		{"as a decimal of a table tool", "4111111111111111.0", "[REDACTED:card].0"},
		// addresses
		{"IPv4", "http://192.168.1.10:8080/ 10.0.0.0/8", "http://[REDACTED:ipv4]:8080/ [REDACTED:ipv4]/8"},
		{"IPv4, Arabic digits", "العنوان ١٩٢.١٦٨.١.١", "العنوان [REDACTED:ipv4]"},
		{"versions and sections", "version 1.2.3.4, v1.2.3.4, 1.2.3.4.5, Section 4.1.2.3, 1.2.3.400",
			"version 1.2.3.4, v1.2.3.4, 1.2.3.4.5, Section 4.1.2.3, 1.2.3.400"},
		{"browsers", "Mozilla/5.0 Chrome/120.0.0.0 Safari/537.36 OPR/105.0.0.0",
			"Mozilla/5.0 Chrome/120.0.0.0 Safari/537.36 OPR/105.0.0.0"},
		{"IPv4, a range and a list", "10.0.0.1-10.0.0.9,8.8.8.8", "[REDACTED:ipv4]-[REDACTED:ipv4],[REDACTED:ipv4]"},
		{"IPv6", "2001:db8::8a2e:370:7334 [::1]:80 fe80::1%eth0",
			"[REDACTED:ipv6] [[REDACTED:ipv6]]:80 [REDACTED:ipv6]"},
		{"IPv6 with IPv4", "::ffff:192.0.2.1", "[REDACTED:ipv6]"},
		{"times, MACs, programs", "10:30:00 00:1a:2b:3c:4d:5e std::fmt x[::2] dead::beef",
			"10:30:00 00:1a:2b:3c:4d:5e std::fmt x[::2] dead::beef"},
		// identifiers
		{"UUID", "550e8400-e29b-41d4-a716-446655440000", "550e8400-e29b-41d4-a716-446655440000"},
		{"ISBN", "ISBN 978-0-306-40615-7", "ISBN 978-0-306-40615-7"},
	}
	r := redactor(t)
	for _, tt := range tests {
		t.Run(tt.desc, func(t *testing.T) {
			got, counts := r.Text(tt.in)
			require.Equal(t, tt.want, got)
			total := 0
			for kind, n := range counts {
				require.Equal(t, n, strings.Count(got, redact.Mask(kind)))
				total += n
			}
			require.Equal(t, strings.Count(got, "[REDACTED:"), total)
		})
	}
}

func TestUnixTimesAreNotMasked(t *testing.T) {
	r := redactor(t)
	for at := int64(0); at < 1<<31; at += 104_729 {
		for _, form := range []string{"%d", "t=%d", "ts: %d", "%d000 GET", "%d.123", "%d000000", "%d000000000"} {
			s := fmt.Sprintf(form, at)
			if len(s) < 10 || at < 1_000_000_000 && form != "%d" {
				continue
			}
			got, counts := r.Text(s)
			require.Nil(t, counts, "%s: %s", s, got)
		}
	}
}

func TestFieldUsesTheLabel(t *testing.T) {
	r := redactor(t)
	for _, label := range []string{"national_id", "nationalId", "رقم الهوية"} {
		got, counts := r.Field(label, "1012345672")
		require.Equal(t, "[REDACTED:national_id]", got, label)
		require.Equal(t, redact.Counts{"national_id": 1}, counts)
	}
	got, _ := r.Field("mobile", "551234567")
	require.Equal(t, "[REDACTED:phone]", got)
	got, counts := r.Field("a@b.com", "x")
	require.Equal(t, "x", got)
	require.Nil(t, counts)
	got, _ = r.Field("", "a@b.com")
	require.Equal(t, "[REDACTED:email]", got)
}

func TestOwnPatterns(t *testing.T) {
	r := redactor(t, redact.Pattern{Kind: "mrn", Expr: `\bMRN-\d{6}\b`},
		redact.Pattern{Kind: "project", Expr: `مشروع \pL+`})
	got, counts := r.Text("MRN-123456, MRN-١٢٣٤٥٦, مشروع الأفق, a@b.com")
	require.Equal(t, "[REDACTED:mrn], [REDACTED:mrn], [REDACTED:project], [REDACTED:email]", got)
	require.Equal(t, redact.Counts{"mrn": 2, "project": 1, "email": 1}, counts)

	over := redactor(t, redact.Pattern{Kind: "mail_and_more", Expr: `\S+@\S+ x`})
	got, _ = over.Text("a@b.com x y")
	require.Equal(t, "[REDACTED:email] y", got, "the union of both matches is masked, under the built-in name")
}

func TestOwnPatternsAreBounded(t *testing.T) {
	tests := []struct {
		desc string
		p    redact.Pattern
		path string
	}{
		{"no kind", redact.Pattern{Expr: "x"}, "patterns[0].kind"},
		{"kind that breaks the mask", redact.Pattern{Kind: "a]b", Expr: "x"}, "patterns[0].kind"},
		{"built-in kind", redact.Pattern{Kind: redact.Email, Expr: "x"}, "patterns[0].kind"},
		{"no expression", redact.Pattern{Kind: "a"}, "patterns[0].expr"},
		{"too long", redact.Pattern{Kind: "a", Expr: strings.Repeat("x", redact.MaxPatternBytes+1)},
			"patterns[0].expr"},
		{"not RE2", redact.Pattern{Kind: "a", Expr: `(?=x)`}, "patterns[0].expr"},
		{"too large", redact.Pattern{Kind: "a", Expr: `(x{100}){10}y{999}z{999}`}, "patterns[0].expr"},
		{"matches nothing", redact.Pattern{Kind: "a", Expr: `x*`}, "patterns[0].expr"},
	}
	for _, tt := range tests {
		t.Run(tt.desc, func(t *testing.T) {
			_, err := redact.New([]redact.Pattern{tt.p})
			var e *domain.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, domain.Invalid, e.Kind)
			require.Equal(t, tt.path, e.Path)
		})
	}
	_, err := redact.New(make([]redact.Pattern, redact.MaxPatterns+1))
	require.Equal(t, domain.Invalid, domain.KindOf(err))
}

func TestProfileNamesTheRules(t *testing.T) {
	plain, own := redactor(t).Profile(), redactor(t, redact.Pattern{Kind: "a", Expr: "x"}).Profile()
	require.Equal(t, "sanad-1", plain)
	require.Regexp(t, `^sanad-1\+[0-9a-f]{12}$`, own)
	require.NotEqual(t, own, redactor(t, redact.Pattern{Kind: "a", Expr: "y"}).Profile())
}

func FuzzText(f *testing.F) {
	m := newMaker(1)
	for range 40 {
		f.Add(m.phone() + m.email() + m.cardText(true) + m.ipv6() + m.nothing() + m.idText(true))
	}
	f.Add("\xff+966\x80 ::1 SA\xc3 1.2.3.")
	f.Add(strings.Repeat("1 ", 500) + strings.Repeat(":", 300) + strings.Repeat("a@", 300))
	r := redactor(f, redact.Pattern{Kind: "own", Expr: `[\pL]\d+`})
	f.Fuzz(func(t *testing.T, s string) {
		got, counts := r.Text(s)
		again, _ := r.Text(s)
		require.Equal(t, got, again)
		if utf8.ValidString(s) {
			require.True(t, utf8.ValidString(got))
		}
		total := 0
		for _, n := range counts {
			total += n
		}
		require.Equal(t, total == 0, got == s)
		require.GreaterOrEqual(t, strings.Count(got, "[REDACTED:"), total)
		field, _ := r.Field("phone", s)
		require.Equal(t, utf8.ValidString(s), utf8.ValidString(field) && utf8.ValidString(s))
	})
}
