package redact_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/redact"
)

// The corpus is generated independently: only the tests at the end call the package. Checksums are computed in another
// way than there (a table for Luhn, big integers for mod 97).

// maker generates texts from a fixed seed.
type maker struct{ *rand.Rand }

func newMaker(seed uint64) maker { return maker{rand.New(rand.NewPCG(seed, 7))} }

func (m maker) pick(of ...string) string { return of[m.IntN(len(of))] }

// digits returns n random digits.
func (m maker) digits(n int) string {
	var b strings.Builder
	for range n {
		b.WriteByte(byte('0' + m.IntN(10)))
	}
	return b.String()
}

// form fills a pattern: # is a digit, N one of 2 to 9, @ a small letter.
func (m maker) form(pattern string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '#':
			return rune('0' + m.IntN(10))
		case 'N':
			return rune('2' + m.IntN(8))
		case '@':
			return rune('a' + m.IntN(26))
		}
		return r
	}, pattern)
}

// luhnSum uses a table of what each doubled digit counts.
func luhnSum(s string) int {
	doubled := [10]int{0, 2, 4, 6, 8, 1, 3, 5, 7, 9}
	sum := 0
	for i, r := range s {
		if d := int(r - '0'); (len(s)-i)%2 == 0 {
			sum += doubled[d]
		} else {
			sum += d
		}
	}
	return sum % 10
}

// checked appends a check digit that is right, or wrong.
func (m maker) checked(head string, right bool) string {
	for d := range 10 {
		if s := fmt.Sprint(head, d); luhnSum(s) == 0 {
			if right {
				return s
			}
			return fmt.Sprint(head, (d+1+m.IntN(9))%10)
		}
	}
	panic("no check digit")
}

// iban returns an IBAN of a country, with a right or a wrong checksum.
func (m maker) iban(country, bban string, right bool) string {
	var n strings.Builder
	for _, r := range bban + country + "00" {
		if r >= 'A' {
			fmt.Fprint(&n, r-'A'+10)
		} else {
			n.WriteRune(r)
		}
	}
	big97, _ := new(big.Int).SetString(n.String(), 10)
	check := 98 - int(new(big.Int).Mod(big97, big.NewInt(97)).Int64())
	if !right {
		check = (check+m.IntN(96)-1)%97 + 2 // 2 to 98, never itself
	}
	return fmt.Sprintf("%s%02d%s", country, check, bban)
}

func grouped(s string, sep string, sizes ...int) string {
	var parts []string
	for _, n := range sizes {
		parts, s = append(parts, s[:n]), s[n:]
	}
	if s != "" {
		parts = append(parts, s)
	}
	return strings.Join(parts, sep)
}

// script now and then replaces the digits by Arabic-Indic or Persian ones, or puts a bidi mark before the value.
func (m maker) script(s string) string {
	zero := []rune{'0', '0', '٠', '۰'}[m.IntN(4)]
	s = strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r - '0' + zero
		}
		return r
	}, s)
	if m.IntN(10) == 0 {
		s = "\u200e" + s + "\u200f"
	}
	return s
}

// person returns a person's name, in English or Arabic.
func (m maker) person() string {
	return m.pick("Ahmed Al-Qahtani", "the patient", "Ms Noura", "our client", "أحمد القحطاني", "المستفيدة نورة",
		"صاحب الطلب", "الموظف")
}

// around puts a value into one of the sentences, which each have one %s.
func (m maker) around(value string, sentences ...string) string {
	s := strings.Replace(m.pick(sentences...), "%s", value, 1)
	return m.pick("", "", m.person()+": ", "2024-05-11 10:31 ", "(p. 12) ", "قال التقرير: ", "• ", "\"") + s +
		m.pick("", ".", "\n", " ثم انتهى.", ", thanks", "؟", ")")
}

func (m maker) email() string {
	local := m.pick(m.form("@@@@@"), m.form("@@@.@@@@@@"), m.form("@@@_@@@##"), m.form("@@@@+tag#"), m.form("@-@@@@"),
		m.form("####@@"))
	domain := m.pick("gmail.com", "moh.gov.sa", m.form("@@@@@@.com.sa"), m.form("mail.@@@@-@@@.org"),
		m.form("@@@@.co.uk"), m.form("@@##.io"), "شركة.السعودية", "Example.COM")
	value := local + "@" + domain
	return m.around(value, "Write to %s today", "email: %s", "<%s>", "mailto:%s", "%s", "البريد الإلكتروني %s",
		"راسلنا على %s، شكراً", "بريده:%s", `{"email":"%s"}`, "a,b,%s,c", "From: X [%s]")
}

func (m maker) phone() string {
	saudi := []string{"05#-###-####", "05########", "05# ### ####", "05## ### ###", "+9665########",
		"+966 5# ### ####", "+966-5#-###-####", "009665########",
		"9665########", "(+966) 5########", "+966 (0)5# ### ####", "01147#####", "011 4## ####", "013-8######",
		"9200#####", "+966 11 4## ####", "00966 5# #######"}
	abroad := []string{"+1 N## N## ####", "+1-N##-N##-####", "(N##) N##-####", "N##-N##-####", "+44 20 7### ####",
		"+447#########", "+971 5# ### ####", "+20 10 #### ####",
		"+49 30 ########", "+33 1 ## ## ## ##", "+91 98### #####", "+973 3### ####", "0097150#######",
		"+965 #### ####", "+62 812 #### ####", "1-N##-N##-####"}
	if m.IntN(6) == 0 { // a national number that only a word before it identifies
		return m.around(m.script(m.form(m.pick("5########", "N## ####", "020 7### ####", "N######", "0#-########"))),
			"phone %s", "Tel: %s", "Mobile number: %s", "call me on %s", "fax no. %s", "هاتف: %s", "رقم الجوال %s",
			"جواله %s", "للتواصل: %s", "واتساب %s", "اتصل على %s", `"phone_number": "%s"`)
	}
	value := m.script(m.form(m.pick(append(saudi, abroad...)...)))
	return m.around(value, "reach him at %s", "%s", "phone %s", "tel:%s", "هاتف %s", "جوال:%s", "اتصل بنا على %s",
		"He left %s with us", "الرقم هو %s", "id,7,%s,x", "contact (%s)", "see /users/%s/profile")
}

var ibanForms = map[string]string{"SA": "####################", "AE": "###################",
	"DE": "##################", "GB": "NWBK##############",
	"FR": "####################A##", "KW": "CBKU######################", "EG": "#########################",
	"BH": "BMAG##############", "NL": "ABNA##########", "NO": "###########"}

func (m maker) ibanText(right bool) string {
	country := m.pick("SA", "SA", "SA", "AE", "DE", "GB", "FR", "KW", "EG", "BH", "NL", "NO")
	bban := strings.Map(func(r rune) rune {
		if r == '#' {
			return rune('0' + m.IntN(10))
		}
		return r
	}, ibanForms[country])
	value := m.iban(country, bban, right)
	switch m.IntN(4) {
	case 0:
		value = grouped(value, " ", four(len(value))...)
	case 1:
		value = strings.ToLower(value)
	}
	return m.around(m.script(value), "IBAN %s", "transfer to %s", "%s", "الآيبان: %s", "حوّل إلى %s",
		"رقم الحساب الدولي %s", "iban=%s", "acct;%s;SAR", `"iban":"%s"`)
}

func four(n int) []int {
	var out []int
	for ; n > 4; n -= 4 {
		out = append(out, 4)
	}
	return out
}

// idNumber returns a national id or iqama, with a right or a wrong check digit.
func (m maker) idNumber(right bool) string {
	return m.checked(m.pick("10", "11", "1", "20", "21", "22", "23", "24", "25", "2")+m.digits(9), right)
}

func (m maker) idText(right bool) string {
	n := m.idNumber(right)
	n = m.checked(n[:9], right)
	value := m.script(n)
	if n > "2200000000" && m.IntN(3) == 0 {
		return m.around(value, "%s", "holder %s came", "عن %s", "Ahmed,%s,Riyadh", "(%s)")
	}
	return m.around(value, "national ID %s", "National ID number: %s", "iqama %s", "Iqama No. %s", "ID: %s",
		"his identity number is %s", "resident %s", "citizen ID no %s",
		"رقم الهوية %s", "الهوية الوطنية: %s", "هويته رقم %s", "إقامة رقم %s", "رقم الإقامة %s", "السجل المدني %s",
		"رقم السجل المدني: %s", "بهوية رقم %s", `"national_id": "%s"`, `"nationalId":%s`,
		"iqama_no=%s", "%s (national ID)", "%s هو رقم هويته", "مقيم برقم %s")
}

func (m maker) cardNumber(right bool) string {
	head := m.pick("4", "51", "52", "55", "2221", "34", "37", "6011", "36", "3530", "62", "968201", "440795", "588845",
		"5", "400000")
	n := 16
	switch head {
	case "34", "37":
		n = 15
	case "36":
		n = 14
	case "5":
		head = fmt.Sprint("5", 1+m.IntN(5))
	}
	return m.checked(head+m.digits(n-1-len(head)), right)
}

func (m maker) cardText(right bool) string {
	value := m.cardNumber(right)
	switch sep := m.pick(" ", "-", "\u00a0"); {
	case m.IntN(2) == 0:
	case len(value) == 16:
		value = grouped(value, sep, 4, 4, 4)
	case len(value) == 15:
		value = grouped(value, sep, 4, 6)
	case len(value) == 14:
		value = grouped(value, sep, 4, 6)
	}
	return m.around(m.script(value), "card %s", "%s", "paid with %s exp 12/27", "Visa: %s", "PAN=%s", "بطاقة رقم %s",
		"البطاقة: %s", "دفع ببطاقته %s", "x,%s,y", `{"card":"%s"}`, "mada %s")
}

func (m maker) ipv4() string {
	value := fmt.Sprintf("%d.%d.%d.%d", 1+m.IntN(223), m.IntN(256), m.IntN(256), m.IntN(256))
	if m.IntN(8) == 0 {
		value = m.script(value)
	}
	return m.around(value, "from %s", "%s", "client %s port 22", "http://%s/login", "%s:8080", "%s/24", "العنوان %s",
		"من الجهاز %s", "[%s]", "ip=%s", "Received: from x (%s)", "%s - - GET /")
}

func (m maker) ipv6() string {
	h := func() string { return fmt.Sprintf("%x", m.IntN(65536)) }
	value := m.pick(
		fmt.Sprintf("2001:db8:%s:%s:%s:%s:%s:%s", h(), h(), h(), h(), h(), h()),
		fmt.Sprintf("2001:db8::%s", h()), fmt.Sprintf("fe80::%s:%s:%s:%s", h(), h(), h(), h()),
		fmt.Sprintf("2a02:%s::1", h()), "::1", fmt.Sprintf("::ffff:192.168.%d.%d", m.IntN(256), m.IntN(256)),
		strings.ToUpper(fmt.Sprintf("fd00:%s:%s::%s", h(), h(), h())), fmt.Sprintf("64:ff9b::%s:%s", h(), h()))
	return m.around(value, "from %s", "%s", "http://[%s]:8080/", "address %s is up", "العنوان %s", "%s/64", "ip: %s",
		"AAAA %s", "IPv6:%s")
}

// nothing returns something that looks like one of the kinds and is not.
func (m maker) nothing() string {
	switch m.IntN(24) {
	case 0, 1: // Unix times, in all units and contexts
		return m.unix()
	case 2:
		return m.cardText(false)
	case 3:
		return m.idText(false)
	case 4:
		return m.ibanText(false)
	case 5:
		return m.around(m.script(m.form("19##-0N-1#T##:##:##Z")), "on %s", "%s", "في %s", "created %s")
	case 6:
		return m.around(m.script(fmt.Sprintf("%d,%03d,%03d.%02d", 1+m.IntN(999), m.IntN(1000), m.IntN(1000),
			m.IntN(100))), "SAR %s", "total %s", "المبلغ %s ريال", "بلغت %s", "$%s")
	case 7:
		return m.around(fmt.Sprintf("%d.%d.%d", m.IntN(30), m.IntN(30), m.IntN(3000)), "version %s", "v%s", "go%s",
			"react@%s", "الإصدار %s", "pkg-%s.tar.gz")
	case 8:
		return m.around(fmt.Sprintf("%d.%d.%d.%d", 1+m.IntN(9), m.IntN(9), m.IntN(20), m.IntN(20)), "version %s",
			"v%s", "Section %s says", "clause %s", "البند %s", "المادة %s", "release %s")
	case 9:
		return m.around(fmt.Sprintf("%d.%d.%d.%d", m.IntN(200), 256+m.IntN(700), m.IntN(300), m.IntN(9000)),
			"Chrome/%s", "%s", "build %s")
	case 10:
		return m.around(fmt.Sprintf("%02x:%02x:%02x:%02x:%02x:%02x", m.IntN(256), m.IntN(256), m.IntN(256),
			m.IntN(256), m.IntN(256), m.IntN(256)), "MAC %s", "%s", "عنوان MAC %s")
	case 11:
		return m.around(fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", m.Uint32(), m.IntN(65536), m.IntN(65536),
			m.IntN(65536), m.Uint64()>>16), "request %s", "%s", "المعرّف %s")
	case 12:
		return m.around(fmt.Sprintf("%016x%016x%016x%016x", m.Uint64(), m.Uint64(), m.Uint64(), m.Uint64()),
			"sha256:%s", "%s", "commit %s")
	case 13:
		return m.around(m.form(m.pick("978-###-##-####-#", "978##########", "979##########", "0-##-######-#")),
			"ISBN %s", "ISBN: %s", "كتاب %s ردمك")
	case 14:
		return m.around(m.form("@@@@@@"), "@%s said", "follow @%s", "user@%s", "تابع @%s", "icon@2x.png %s", "std::%s",
			"%s::new()", "git@%s")
	case 15:
		return m.around(m.script(fmt.Sprintf("%02d:%02d:%02d", m.IntN(24), m.IntN(60), m.IntN(60))), "at %s",
			"الساعة %s", "%s", "start=%s end=%s")
	case 16:
		return m.around(m.script(m.form("#######")), "ticket %s", "الطلب رقم %s", "item %s of 9",
			"the population was %s", "عدد السكان %s", "row %s")
	case 17:
		return m.around(m.script(m.form("ORD-20##-########")), "order %s", "%s", "الطلب %s")
	case 18:
		return m.around(m.script(m.checked(m.pick("1", "2")+m.digits(8), true)), "order %s", "order id %s",
			"invoice no. %s", "transaction %s", "رقم الطلب %s", "الفاتورة رقم %s", "المبلغ %s ريال",
			"tracking number %s", "amount: %s")
	case 19:
		return m.around(fmt.Sprintf("%.6f, %.6f", m.Float64()*90, m.Float64()*180), "at %s", "%s", "الموقع %s")
	case 20:
		return m.around(m.script(fmt.Sprintf("%d/%d/14%02d", 1+m.IntN(29), 1+m.IntN(12), m.IntN(50))), "بتاريخ %s هـ",
			"dated %s H", "call before %s", "phones sold until %s")
	case 21:
		return m.around(fmt.Sprintf("0.%s", m.digits(16)), "p = %s", "score %s", "النسبة %s", "%s")
	case 22:
		return m.around(m.form("##.0#.20## 1#:##"), "call on %s", "%s", "due %s", "الموعد %s")
	}
	return m.around(m.script(m.form("1## - 1##")), "pages %s", "الصفحات %s", "rows %s", "x[::2] y[1::%s]", "ayah %s")
}

// unix returns a Unix time in seconds, milliseconds, microseconds or nanoseconds, whether or not it passes Luhn.
func (m maker) unix() string {
	at := fmt.Sprint(m.IntN(1 << 31))
	if m.IntN(3) > 0 { // of this century in finer units too
		at = fmt.Sprint(1_000_000_000+m.IntN(1_147_483_647),
			m.pick("", "", m.digits(3), m.digits(6), m.digits(9), "."+m.digits(3)))
		at = strings.ReplaceAll(at, " ", "")
	}
	return m.around(m.script(at), "%s", "ts=%s", "timestamp %s", `"created_at":%s,`, "at %s", "updated: %s",
		"%s INFO login ok", "exp %s iat", "[%s]", "الوقت %s", "عند %s", "epoch,%s,7",
		"id=5 ts=%s", "national id checked at %s", "تاريخ التحديث %s", "%s - national id verified", "a.b{x=\"y\"} 1 %s")
}

func TestCorpus(t *testing.T) {
	r, err := redact.New(nil)
	require.NoError(t, err)
	m := newMaker(20261122)
	kinds := map[string]func() string{
		redact.Email: m.email, redact.Phone: m.phone, redact.IPv4: m.ipv4, redact.IPv6: m.ipv6,
		redact.IBAN:       func() string { return m.ibanText(true) },
		redact.NationalID: func() string { return m.idText(true) },
		redact.Card:       func() string { return m.cardText(true) },
	}
	require.Len(t, kinds, len(redact.Kinds()))
	const each = 1429 // seven kinds: 10,003
	for _, kind := range redact.Kinds() {
		found, missed := 0, []string{}
		for range each {
			s := kinds[kind]()
			out, counts := r.Text(s)
			if counts[kind] == 1 && len(counts) == 1 && strings.Count(out, redact.Mask(kind)) == 1 {
				found++
			} else {
				missed = append(missed, s+" → "+out)
			}
		}
		recall := float64(found) / each
		t.Logf("%-12s recall %.4f", kind, recall)
		require.GreaterOrEqual(t, recall, 0.99, "%s: %s", kind, strings.Join(missed[:min(12, len(missed))], "\n"))
	}
}

func TestCorpusFalsePositives(t *testing.T) {
	r, err := redact.New(nil)
	require.NoError(t, err)
	m := newMaker(20261123)
	const n = 10_000
	var wrong []string
	for range n {
		s := m.nothing()
		if out, counts := r.Text(s); counts != nil {
			wrong = append(wrong, s+" → "+out)
		}
	}
	rate := float64(len(wrong)) / n
	t.Logf("false positives %.4f", rate)
	require.LessOrEqual(t, rate, 0.005, strings.Join(wrong[:min(30, len(wrong))], "\n"))
	for range n {
		s := m.unix()
		out, _ := r.Text(s)
		require.Equal(t, s, out)
	}
}
