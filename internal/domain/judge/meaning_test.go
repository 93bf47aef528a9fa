package judge_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
)

// phenomena are small changes of one sentence, by what they change. What doesn't follow must never be supported, and
// what does must not be contradicted.
var phenomena = []struct {
	name, evidence string
	follows        []string
	not            []string
}{
	{
		name: "negation", evidence: "The archive does not accept digital copies.",
		follows: []string{"The archive does not accept digital copies.", "Digital copies are not accepted by the archive."},
		not:     []string{"The archive accepts digital copies.", "Digital copies are accepted by the archive."},
	},
	{
		name: "negation beside without", evidence: "Visitors may enter the vault without an escort.",
		follows: []string{"Visitors may enter the vault without an escort."},
		not:     []string{"Visitors may not enter the vault without an escort."},
	},
	{
		name: "double negation", evidence: "The inspector did not fail to sign the protocol.",
		follows: []string{"The inspector signed the protocol."},
		not:     []string{"The inspector failed to sign the protocol.", "The inspector did not sign the protocol."},
	},
	{
		name: "exception", evidence: "All libraries except the mobile library close on Sundays.",
		follows: []string{"The mobile library does not close on Sundays."},
		not:     []string{"All libraries close on Sundays.", "The mobile library closes on Sundays."},
	},
	{
		name: "only by negation", evidence: "The pass admits nobody other than its holder.",
		not: []string{"The pass does not admit its holder.", "The pass admits everyone other than its holder."},
	},
	{
		name: "quantifier", evidence: "Few tenants returned the questionnaire.",
		follows: []string{"Few tenants returned the questionnaire."},
		not:     []string{"Most tenants returned the questionnaire.", "All tenants returned the questionnaire."},
	},
	{
		name: "not every", evidence: "Not every lift in the tower is inspected yearly.",
		not: []string{"Every lift in the tower is inspected yearly."},
	},
	{
		name: "condition", evidence: "The deposit is returned unless the keys are missing.",
		follows: []string{"The deposit is returned unless the keys are missing."},
		not:     []string{"The deposit is returned if the keys are missing.", "The deposit is returned even if the keys are missing."},
	},
	{
		name: "only unless", evidence: "Boats are not lent, unless the harbour master has given leave.",
		follows: []string{"Boats are lent only if the harbour master has given leave."},
		not:     []string{"Boats are lent even if the harbour master has not given leave."},
	},
	{
		name: "only unless, Arabic", evidence: "لا تعير المكتبة المخطوطات، إلا إذا وافق أمينها.",
		follows: []string{"تعير المكتبة المخطوطات فقط إذا وافق أمينها."},
		not:     []string{"لا تعير المكتبة المخطوطات إذا وافق أمينها."},
	},
	{
		name: "may not", evidence: "A certificate may not be older than five weeks.",
		follows: []string{"A certificate must be no older than five weeks.", "A certificate may not be older than five weeks."},
		not:     []string{"A certificate may be older than five weeks."},
	},
	{
		name: "another event's year, Arabic", evidence: "في عام 2021 باعت الجمعية 300 شجرة.",
		follows: []string{"أنشئت الجمعية عام 1987."},
	},
	{
		name: "bounds", evidence: "Each crew has at least four divers.",
		follows: []string{"Each crew has at least four divers.", "Each crew has no fewer than four divers."},
		not:     []string{"Each crew has at most four divers.", "Each crew has fewer than four divers."},
	},
	{
		name: "deadline", evidence: "Abstracts are due no later than 9 June.",
		not: []string{"Abstracts are due no earlier than 9 June."},
	},
	{
		name: "bound by a negation", evidence: "The reservoir's level stays at 12 metres or more.",
		follows: []string{"The reservoir's level must not drop below 12 metres."},
		not:     []string{"The reservoir's level must not rise above 12 metres."},
	},
	{
		name: "negation that a bound takes back", evidence: "Scaffolds are rented for at least two weeks.",
		follows: []string{"No scaffolds are rented for less than two weeks."},
		not:     []string{"Scaffolds are rented for less than two weeks."},
	},
	{
		name: "named limit", evidence: "The maximum speed in the harbour is 9 kilometres per hour.",
		follows: []string{"The speed in the harbour must not exceed 9 kilometres per hour."},
		not:     []string{"The speed in the harbour must be at least 9 kilometres per hour."},
	},
	{
		name:     "comparison of what is not compared",
		evidence: "The orchard yielded eight tonnes of figs in 2019, compared with six in 2018.",
		not:      []string{"The orchard yielded eight tonnes of figs in 2019, less than in 2018."},
	},
	{
		name: "parallel parts", evidence: "The museum sold 3,100 tickets in July and 4,600 tickets in August.",
		follows: []string{"The museum sold 3,100 tickets in July."},
		not:     []string{"The museum sold 3,100 tickets in August.", "The museum sold 4,600 tickets in July."},
	},
	{
		name: "who does what", evidence: "The curator thanked the sculptor in her speech.",
		not: []string{"The sculptor thanked the curator in her speech."},
	},
	{
		name: "passive", evidence: "The violin was stolen by the former caretaker.",
		follows: []string{"The former caretaker stole the violin."},
		not:     []string{"The former caretaker was stolen by the violin."},
	},
	{
		name: "comparison", evidence: "The east wing is warmer than the chapel.",
		not: []string{"The chapel is warmer than the east wing."},
	},
	{
		name: "cause", evidence: "The leak caused the short circuit.",
		follows: []string{"The short circuit was caused by the leak."},
		not:     []string{"The short circuit caused the leak."},
	},
	{
		name: "order in time", evidence: "The choir sang before the bishop spoke.",
		not: []string{"The choir sang after the bishop spoke."},
	},
	{
		name: "was and is", evidence: "The toll was formerly 3 euros; it is now 4 euros.",
		follows: []string{"The toll is now 4 euros."},
		not:     []string{"The toll is now 3 euros."},
	},
	{
		name: "percentage points", evidence: "Turnout rose by six percentage points.",
		not: []string{"Turnout rose by six per cent."},
	},
	{
		name: "direction", evidence: "The fare rose from 20% to 30% of the price.",
		not: []string{"The fare rose from 30% to 20% of the price."},
	},
	{
		name: "opposite", evidence: "The new filter removed the noise from the recording.",
		not: []string{"The new filter added the noise to the recording."},
	},
	{
		name: "counterpart", evidence: "The landlord pays for the repairs of the roof.",
		follows: []string{"The landlord pays for the repairs of the roof."},
		not:     []string{"The tenant pays for the repairs of the roof."},
	},
	{
		name: "counterpart of one form", evidence: "The employee gives notice of the change.",
		not: []string{"The employer gives notice of the change."},
	},
	{
		name: "denying prefix", evidence: "The door of the vault is unlocked at night.",
		follows: []string{"The door of the vault is not locked at night."},
		not:     []string{"The door of the vault is locked at night."},
	},
	{
		name: "forbidden", evidence: "Smoking is forbidden in the courtyard.",
		follows: []string{"Smoking is not allowed in the courtyard."},
		not:     []string{"Smoking is allowed in the courtyard."},
	},
	{
		name: "طرفان", evidence: "يتحمل المؤجر كلفة صيانة السقف.",
		follows: []string{"يتحمل المؤجر كلفة صيانة السقف."},
		not:     []string{"يتحمل المستأجر كلفة صيانة السقف."},
	},
	{
		name: "who says it", evidence: "The gardener said that the mayor had closed the park.",
		not: []string{"The mayor said that the gardener had closed the park."},
	},
	{
		name: "نفي", evidence: "لا تقبل المكتبة النسخ الرقمية.",
		follows: []string{"لا تقبل المكتبة النسخ الرقمية.", "المكتبة لا تقبل النسخ الرقمية."},
		not:     []string{"تقبل المكتبة النسخ الرقمية."},
	},
	{
		name: "نفي مع دون", evidence: "يجوز دخول الخزنة دون مرافق.",
		follows: []string{"يجوز دخول الخزنة دون مرافق."},
		not:     []string{"لا يجوز دخول الخزنة دون مرافق."},
	},
	{
		name: "استثناء", evidence: "تغلق جميع المتاحف أبوابها يوم الجمعة ما عدا متحف القرية.",
		not: []string{"تغلق جميع المتاحف أبوابها يوم الجمعة.", "يغلق متحف القرية أبوابه يوم الجمعة."},
	},
	{
		name: "حصر", evidence: "لا تشمل التذكرة إلا الطابق الأول.",
		not: []string{"لا تشمل التذكرة الطابق الأول."},
	},
	{
		name: "كل", evidence: "ليس كل مصعد في البرج مفحوصًا.",
		not: []string{"كل مصعد في البرج مفحوص."},
	},
	{
		name: "حدود", evidence: "يضم كل فريق أربعة غواصين على الأقل.",
		follows: []string{"يضم كل فريق أربعة غواصين على الأقل."},
		not:     []string{"يضم كل فريق أربعة غواصين على الأكثر."},
	},
	{
		name: "حد بنفي", evidence: "الحد الأدنى لعمر المتدرب 19 سنة.",
		follows: []string{"يجب ألا يقل عمر المتدرب عن 19 سنة."},
		not:     []string{"يجب ألا يزيد عمر المتدرب على 19 سنة."},
	},
	{
		name: "نفي يرده حد", evidence: "تؤجَّر القوارب لأربع ساعات على الأقل.",
		follows: []string{"لا تؤجَّر القوارب لأقل من أربع ساعات."},
		not:     []string{"تؤجَّر القوارب لأقل من أربع ساعات."},
	},
	{
		name: "حصر بلا", evidence: "لا تُسلَّم الطرود إلا بعد إبراز الهوية.",
		follows: []string{"لا تُسلَّم الطرود بلا إبراز الهوية."},
		not:     []string{"تُسلَّم الطرود بلا إبراز الهوية."},
	},
	{
		name: "أجزاء متوازية", evidence: "باع المتحف 3100 تذكرة في يوليو و4600 تذكرة في أغسطس.",
		follows: []string{"باع المتحف 3100 تذكرة في يوليو."},
		not:     []string{"باع المتحف 3100 تذكرة في أغسطس."},
	},
	{
		name: "سبب", evidence: "أدى تسرب المياه إلى انقطاع الكهرباء.",
		not: []string{"أدى انقطاع الكهرباء إلى تسرب المياه."},
	},
	{
		name: "قبل وبعد", evidence: "غنت الفرقة قبل كلمة الوزير.",
		not: []string{"غنت الفرقة بعد كلمة الوزير."},
	},
	{
		name: "ضد", evidence: "ارتفعت أجور الحافلات في الصيف.",
		not: []string{"انخفضت أجور الحافلات في الصيف."},
	},
	{
		name: "شرط", evidence: "يُعاد التأمين ما لم تُفقد المفاتيح.",
		follows: []string{"يُعاد التأمين ما لم تُفقد المفاتيح."},
		not:     []string{"يُعاد التأمين إذا فُقدت المفاتيح."},
	},
}

func TestPhenomena(t *testing.T) {
	for _, c := range phenomena {
		t.Run(c.name, func(t *testing.T) {
			said := func(claim string) ledger.Verdict {
				return *judge.JudgeRow(judge.Row{Claim: claim, Evidence: []judge.Evidence{{Text: c.evidence}}},
					judge.NewLexical()).Verdict
			}
			for _, claim := range c.follows {
				require.NotEqual(t, ledger.Contradicted, said(claim), claim)
			}
			for _, claim := range c.not {
				require.NotEqual(t, ledger.Supported, said(claim), claim)
			}
		})
	}
}

// TestVerbatim holds a whole sentence to support by itself, whatever is next to it.
func TestVerbatim(t *testing.T) {
	for _, claim := range []string{
		"An application for a parking permit is declined where no residence is proven.",
		"لا يجوز للزائر إدخال الطعام إلى القاعة.",
		"No parcel is released without a signed receipt.",
	} {
		got := judge.JudgeRow(judge.Row{Claim: claim, Evidence: []judge.Evidence{
			{Text: claim + " The depot opens at seven. تفتح القاعة في السابعة."},
			{Text: "Parcels of staff are released at any time. تغلق القاعة في التاسعة."},
		}}, judge.NewLexical())
		require.Equal(t, ledger.Supported, *got.Verdict, claim)
	}
	part := judge.JudgeRow(judge.Row{Claim: "يجوز للزائر إدخال الطعام إلى القاعة",
		Evidence: []judge.Evidence{{Text: "لا يجوز للزائر إدخال الطعام إلى القاعة."}}}, judge.NewLexical())
	require.NotEqual(t, ledger.Supported, *part.Verdict, "a claim may be part of its own negation")
}

// TestTableCells finds a claim in a table by its row and head: words of two rows, or a number under another head, are
// no support.
func TestTableCells(t *testing.T) {
	english := "Ferries\n\n| Harbour | Passengers | Vehicles |\n|---|---|---|\n| Dover | 310 | 42 |\n| Calais | 275 | 57 |"
	plain := "Harbour | Passengers | Vehicles\nDover | 310 | 42\nCalais | 275 | 57"
	arabic := "المخبز | الأرغفة | الفطائر\nمخبز النخيل | 310 | 42\nمخبز السدر | 275 | 57"
	for _, c := range []struct {
		name, claim, table string
		fits               bool
	}{
		{name: "its row and head", claim: "Calais counted 275 passengers", table: english, fits: true},
		{name: "another row", claim: "Calais counted 310 passengers", table: english, fits: false},
		{name: "another column", claim: "Calais counted 57 passengers", table: english, fits: false},
		{name: "without rules", claim: "Calais counted 275 passengers", table: plain, fits: true},
		{name: "another row without rules", claim: "Dover counted 275 passengers", table: plain, fits: false},
		{name: "two cells of one row", claim: "Dover counted 310 passengers and 42 vehicles", table: plain, fits: true},
		{name: "صفه وعموده", claim: "أنتج مخبز السدر 275 من الأرغفة", table: arabic, fits: true},
		{name: "صف آخر", claim: "أنتج مخبز السدر 310 من الأرغفة", table: arabic, fits: false},
		{name: "عمود آخر", claim: "أنتج مخبز السدر 57 من الأرغفة", table: arabic, fits: false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := judge.JudgeRow(judge.Row{Claim: c.claim, Evidence: []judge.Evidence{{Text: c.table}}},
				judge.NewLexical())
			ruled := strings.Contains(c.table, "|--")
			switch {
			case !c.fits && ruled: // the row says otherwise
				require.Equal(t, ledger.Contradicted, *got.Verdict, got.Notes)
				require.Contains(t, got.Notes, "| Calais | 275 | 57 |")
			case !c.fits:
				require.NotEqual(t, ledger.Supported, *got.Verdict)
				require.Contains(t, got.Notes, "different rows or columns")
			case ruled:
				require.Equal(t, ledger.Supported, *got.Verdict, got.Notes)
			default:
				require.NotContains(t, got.Notes, "different rows or columns")
				require.NotEqual(t, ledger.Contradicted, *got.Verdict)
			}
		})
	}
}

// TestPlans shows that a plan in the source is named where the claim speaks of a fact.
func TestPlans(t *testing.T) {
	for claim, evidence := range map[string]string{
		"The port has dredged the northern channel": "The port intends to dredge the northern channel.",
		"افتتحت البلدية الحديقة الشرقية":            "تعتزم البلدية افتتاح الحديقة الشرقية.",
	} {
		got := judge.JudgeRow(judge.Row{Claim: claim, Evidence: []judge.Evidence{{Text: evidence}}}, judge.NewLexical())
		require.Equal(t, ledger.Weak, *got.Verdict, claim)
		require.Contains(t, got.Notes, "The source speaks of a plan", claim)
	}
}

// TestNumbersInWordsAreNamedWhole shows that a conflict names all words of a number.
func TestNumbersInWordsAreNamedWhole(t *testing.T) {
	got := judge.JudgeRow(judge.Row{Claim: "يلتزم الحارس بفتح البوابة خلال أربعين دقيقة",
		Evidence: []judge.Evidence{{Text: "على الحارس فتح البوابة والمخزن خلال سبع عشرة دقيقة من الإنذار."}}}, judge.NewLexical())
	require.Equal(t, ledger.Contradicted, *got.Verdict)
	require.Contains(t, got.Notes, "سبع عشرة دقيقة")
}
