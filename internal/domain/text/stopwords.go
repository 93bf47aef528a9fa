package text

import "strings"

// stopWords are the function words that do not change what a sentence claims, folded. Words that negate or limit a
// claim are left out on purpose: negations (not, no, never, لا, ليس, لم, لن), modals (may, must, يجب), quantifiers
// (all, some, each, كل), limits and conditions (only, except, unless, before, after, إلا, قبل, بعد).
var stopWords = foldSet(`
a an the this that these those it its itself he him his she her hers they them their theirs we us our ours you your
yours i me my mine who whom whose which what there here and or but so if then than as of to in on at by for from with
into onto upon about through via is are was were be been being am do does did done doing has have had having also too
very such when where while how why because it's that's there's let's
`, `
في من الى على عن مع هذا هذه ذلك تلك هؤلاء اولئك هو هي هم هن هما نحن انا انت انتم التي الذي الذين اللتي اللذان اللتان
اللواتي ان انه انها انهم اذا او ثم بل كما كان كانت كانوا يكون تكون قد لقد به بها بهم له لها لهم فيه فيها منه منها منهم
عليه عليها عنه عنها اليه اليها ما و ف ب ك ل اي ايضا حيث حين عند عندما بين لكن لان كي هنا هناك ذا تم يتم
`)

func foldSet(lists ...string) map[string]bool {
	set := map[string]bool{}
	for _, list := range lists {
		for _, w := range strings.Fields(list) {
			set[Fold(w)] = true
		}
	}
	return set
}

// isStop reports whether a folded word is a stop word; in Arabic also with an attached و or ف ("ومن", "ففي").
func isStop(norm string) bool {
	if stopWords[norm] {
		return true
	}
	for _, prefix := range []string{"و", "ف"} {
		if rest, ok := strings.CutPrefix(norm, prefix); ok && len(rest) >= 4 && stopWords[rest] {
			return true
		}
	}
	return false
}
