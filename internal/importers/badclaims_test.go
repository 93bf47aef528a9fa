package importers

import (
	"sanad/internal/domain"
)

// badClaims are faults of claims and citations.
var badClaims = []badInput{
	{name: "claims a text", in: head + `"claims":"x"}`, kind: domain.Invalid, path: "claims", says: "give a list"},
	{
		name: "claim without text", in: claimsOf(`{"claim_id":"x"}`), kind: domain.Invalid,
		path: "claims[1].claim_text", says: "give the statement",
	},
	{
		name: "blank claim", in: claimsOf(`{"claim_text":"  "}`), kind: domain.Invalid,
		path: "claims[1].claim_text", says: "leave the claim out",
	},
	{
		name: "duplicate claim",
		in:   claimsOf(`{"claim_id":"k","claim_text":"b"},{"claim_id":"k","claim_text":"c"}`),
		kind: domain.Invalid, path: "claims[2].claim_id", says: "claims[1]",
	},
	{
		name: "claim type", in: claimsOf(`{"claim_text":"b","claim_type":"opinion"}`), kind: domain.Invalid,
		path: "claims[1].claim_type", says: "fact, policy, numeric, definition",
	},
	{
		name: "claim type a number", in: claimsOf(`{"claim_text":"b","claim_type":1}`), kind: domain.Invalid,
		path: "claims[1].claim_type", says: "double quotes",
	},
	{
		name: "importance", in: claimsOf(`{"claim_text":"b","importance":"high"}`), kind: domain.Invalid,
		path: "claims[1].importance", says: "critical, material, minor",
	},
	{
		name: "requires_citation a text", in: claimsOf(`{"claim_text":"b","requires_citation":"yes"}`),
		kind: domain.Invalid, path: "claims[1].requires_citation", says: "true or false",
	},
	{
		name: "offsets outside", in: claimsOf(`{"claim_text":"b","start_offset":0,"end_offset":20}`),
		kind: domain.Invalid, path: "claims[1].end_offset", says: "19 code points",
	},
	{
		name: "offset negative", in: claimsOf(`{"claim_text":"b","start_offset":-1,"end_offset":2}`),
		kind: domain.Invalid, path: "claims[1].start_offset", says: "below 0",
	},
	{
		name: "offsets turned round", in: claimsOf(`{"claim_text":"b","start_offset":5,"end_offset":2}`),
		kind: domain.Invalid, path: "claims[1].end_offset", says: "exclusive",
	},
	{
		name: "offset alone", in: claimsOf(`{"claim_text":"b","start_offset":5}`), kind: domain.Invalid,
		path: "claims[1].end_offset", says: "both or neither",
	},
	{
		name: "offset a text", in: claimsOf(`{"claim_text":"b","start_offset":"5"}`), kind: domain.Invalid,
		path: "claims[1].start_offset", says: "whole number",
	},
}

// badMatches are faults of the matches of a claim.
var badMatches = []badInput{
	{
		name: "matches an object", in: claimsOf(`{"claim_text":"b","matches":{}}`), kind: domain.Invalid,
		path: "claims[1].matches", says: "give a list",
	},
	{
		name: "match without chunk", in: matched(`{"similarity":1,"support_level":"full"}`),
		kind: domain.Invalid, path: "claims[1].matches[0].chunk", says: "a chunk's id",
	},
	{
		name: "unknown chunk", in: matched(`{"chunk":"c9","similarity":1,"support_level":"full"}`),
		kind: domain.Invalid, path: "claims[1].matches[0].chunk", says: `"c9"`,
	},
	{
		name: "hash of nothing", in: matched(`{"chunk":"0123456789","similarity":1,"support_level":"full"}`),
		kind: domain.Invalid, path: "claims[1].matches[0].chunk", says: "id or hash",
	},
	{
		name: "chunk a number", in: matched(`{"chunk":1,"similarity":1,"support_level":"full"}`),
		kind: domain.Invalid, path: "claims[1].matches[0].chunk", says: "double quotes",
	},
	{name: "ambiguous chunk", in: head +
		`"documents":[{"id":"d","chunks":[{"id":"c","text":"a"}]},{"id":"e","chunks":[{"id":"c","text":"b"}]}],` +
		`"claims":[{"claim_text":"a","matches":[{"chunk":"c","similarity":1,"support_level":"full"}]}]}`,
		kind: domain.Invalid, path: "claims[0].matches[0].chunk", says: "d/c or e/c"},
	{
		name: "no similarity", in: matched(`{"chunk":"c1","support_level":"full"}`), kind: domain.Invalid,
		path: "claims[1].matches[0].similarity", says: "from 0 to 1",
	},
	{
		name: "similarity above", in: matched(`{"chunk":"c1","similarity":1.01,"support_level":"full"}`),
		kind: domain.Invalid, path: "claims[1].matches[0].similarity", says: "from 0 to 1",
	},
	{
		name: "similarity below", in: matched(`{"chunk":"c1","similarity":-0.1,"support_level":"full"}`),
		kind: domain.Invalid, path: "claims[1].matches[0].similarity", says: "from 0 to 1",
	},
	{
		name: "similarity a text", in: matched(`{"chunk":"c1","similarity":"1","support_level":"full"}`),
		kind: domain.Invalid, path: "claims[1].matches[0].similarity", says: "give a number",
	},
	{
		name: "no support level", in: matched(`{"chunk":"c1","similarity":1}`), kind: domain.Invalid,
		path: "claims[1].matches[0].support_level", says: "full, partial or none",
	},
	{
		name: "empty support level", in: matched(`{"chunk":"c1","similarity":1,"support_level":""}`),
		kind: domain.Invalid, path: "claims[1].matches[0].support_level", says: "full, partial or none",
	},
	{
		name: "support level", in: matched(`{"chunk":"c1","similarity":1,"support_level":"yes"}`),
		kind: domain.Invalid, path: "claims[1].matches[0].support_level", says: "full, partial, none",
	},
	{
		name: "contradicts null is false, a number is not",
		in:   matched(`{"chunk":"c1","similarity":1,"support_level":"full","contradicts":1}`),
		kind: domain.Invalid, path: "claims[1].matches[0].contradicts", says: "true or false",
	},
	{
		name: "snippet a list",
		in:   matched(`{"chunk":"c1","similarity":1,"support_level":"full","snippet":[]}`), kind: domain.Invalid,
		path: "claims[1].matches[0].snippet", says: "double quotes",
	},
}
