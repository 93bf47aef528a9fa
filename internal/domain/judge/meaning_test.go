package judge_test

import (
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
		"negation", "The archive does not accept digital copies.",
		[]string{"The archive does not accept digital copies.", "Digital copies are not accepted by the archive."},
		[]string{"The archive accepts digital copies.", "Digital copies are accepted by the archive."},
	},
	{
		"negation beside without", "Visitors may enter the vault without an escort.",
		[]string{"Visitors may enter the vault without an escort."},
		[]string{"Visitors may not enter the vault without an escort."},
	},
	{
		"double negation", "The inspector did not fail to sign the protocol.",
		[]string{"The inspector signed the protocol."},
		[]string{"The inspector failed to sign the protocol.", "The inspector did not sign the protocol."},
	},
	{
		"exception", "All libraries except the mobile library close on Sundays.",
		[]string{"The mobile library does not close on Sundays."},
		[]string{"All libraries close on Sundays.", "The mobile library closes on Sundays."},
	},
	{
		"only by negation", "The pass admits nobody other than its holder.", nil,
		[]string{"The pass does not admit its holder.", "The pass admits everyone other than its holder."},
	},
	{
		"quantifier", "Few tenants returned the questionnaire.",
		[]string{"Few tenants returned the questionnaire."},
		[]string{"Most tenants returned the questionnaire.", "All tenants returned the questionnaire."},
	},
	{
		"not every", "Not every lift in the tower is inspected yearly.", nil,
		[]string{"Every lift in the tower is inspected yearly."},
	},
	{
		"condition", "The deposit is returned unless the keys are missing.",
		[]string{"The deposit is returned unless the keys are missing."},
		[]string{"The deposit is returned if the keys are missing.", "The deposit is returned even if the keys are missing."},
	},
	{
		"bounds", "Each crew has at least four divers.",
		[]string{"Each crew has at least four divers.", "Each crew has no fewer than four divers."},
		[]string{"Each crew has at most four divers.", "Each crew has fewer than four divers."},
	},
	{
		"deadline", "Abstracts are due no later than 9 June.", nil,
		[]string{"Abstracts are due no earlier than 9 June."},
	},
	{
		"parallel parts", "The museum sold 3,100 tickets in July and 4,600 tickets in August.",
		[]string{"The museum sold 3,100 tickets in July."},
		[]string{"The museum sold 3,100 tickets in August.", "The museum sold 4,600 tickets in July."},
	},
	{
		"who does what", "The curator thanked the sculptor in her speech.", nil,
		[]string{"The sculptor thanked the curator in her speech."},
	},
	{
		"passive", "The violin was stolen by the former caretaker.",
		[]string{"The former caretaker stole the violin."},
		[]string{"The former caretaker was stolen by the violin."},
	},
	{
		"comparison", "The east wing is warmer than the chapel.", nil,
		[]string{"The chapel is warmer than the east wing."},
	},
	{
		"cause", "The leak caused the short circuit.",
		[]string{"The short circuit was caused by the leak."},
		[]string{"The short circuit caused the leak."},
	},
	{
		"order in time", "The choir sang before the bishop spoke.", nil,
		[]string{"The choir sang after the bishop spoke."},
	},
	{
		"was and is", "The toll was formerly 3 euros; it is now 4 euros.",
		[]string{"The toll is now 4 euros."},
		[]string{"The toll is now 3 euros."},
	},
	{
		"percentage points", "Turnout rose by six percentage points.", nil,
		[]string{"Turnout rose by six per cent."},
	},
	{
		"direction", "The fare rose from 20% to 30% of the price.", nil,
		[]string{"The fare rose from 30% to 20% of the price."},
	},
	{
		"opposite", "The new filter removed the noise from the recording.", nil,
		[]string{"The new filter added the noise to the recording."},
	},
	{
		"who says it", "The gardener said that the mayor had closed the park.", nil,
		[]string{"The mayor said that the gardener had closed the park."},
	},
	{
		"نفي", "لا تقبل المكتبة النسخ الرقمية.",
		[]string{"لا تقبل المكتبة النسخ الرقمية.", "المكتبة لا تقبل النسخ الرقمية."},
		[]string{"تقبل المكتبة النسخ الرقمية."},
	},
	{
		"نفي مع دون", "يجوز دخول الخزنة دون مرافق.",
		[]string{"يجوز دخول الخزنة دون مرافق."},
		[]string{"لا يجوز دخول الخزنة دون مرافق."},
	},
	{
		"استثناء", "تغلق جميع المتاحف أبوابها يوم الجمعة ما عدا متحف القرية.", nil,
		[]string{"تغلق جميع المتاحف أبوابها يوم الجمعة.", "يغلق متحف القرية أبوابه يوم الجمعة."},
	},
	{
		"حصر", "لا تشمل التذكرة إلا الطابق الأول.", nil,
		[]string{"لا تشمل التذكرة الطابق الأول."},
	},
	{
		"كل", "ليس كل مصعد في البرج مفحوصًا.", nil, []string{"كل مصعد في البرج مفحوص."},
	},
	{
		"حدود", "يضم كل فريق أربعة غواصين على الأقل.",
		[]string{"يضم كل فريق أربعة غواصين على الأقل."},
		[]string{"يضم كل فريق أربعة غواصين على الأكثر."},
	},
	{
		"أجزاء متوازية", "باع المتحف 3100 تذكرة في يوليو و4600 تذكرة في أغسطس.",
		[]string{"باع المتحف 3100 تذكرة في يوليو."},
		[]string{"باع المتحف 3100 تذكرة في أغسطس."},
	},
	{
		"سبب", "أدى تسرب المياه إلى انقطاع الكهرباء.", nil,
		[]string{"أدى انقطاع الكهرباء إلى تسرب المياه."},
	},
	{
		"قبل وبعد", "غنت الفرقة قبل كلمة الوزير.", nil, []string{"غنت الفرقة بعد كلمة الوزير."},
	},
	{
		"ضد", "ارتفعت أجور الحافلات في الصيف.", nil, []string{"انخفضت أجور الحافلات في الصيف."},
	},
	{
		"شرط", "يُعاد التأمين ما لم تُفقد المفاتيح.",
		[]string{"يُعاد التأمين ما لم تُفقد المفاتيح."},
		[]string{"يُعاد التأمين إذا فُقدت المفاتيح."},
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

// TestVerbatim holds a whole sentence to support by itself, whatever stands beside it.
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
