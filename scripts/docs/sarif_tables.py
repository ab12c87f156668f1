"""The part of SARIF 2.1.0 (OASIS) that --sarif writes, as tables of schemas.py: of SARIF's own keys those that stand in a file of ours."""

SARIF = {
    "": """
$schema  'https://json.schemastore.org/sarif-2.1.0.json'  of all of SARIF
version  '2.1.0'  of SARIF
runs     [{sarif_run}]  one
""",
    "sarif_run": """
tool                {tool}          headroom
originalUriBaseIds  {bases}         what paths begin at
invocations         [{invocation}]  one
results             [{result}]      findings, then those that are suppressed; advice
""",
    "tool": """
driver  {driver}  headroom
""",
    "driver": """
name     'headroom'  itself
version  str         the version that wrote it
rules    [{rule}]    each kind of result once, by name
""",
    "rule": """
id                str     kind of the finding or of the advice
shortDescription  {text}  the same in words
""",
    "text": """
text  str  for people
""",
    "bases": """
%SRCROOT%  {base}  the folder where headroom ran
""",
    "base": """
uri  str  of a folder
""",
    "invocation": """
executionSuccessful          bool             all that the program did was seen
exitCode                     int              its own
~exitSignalNumber            int              that killed it
~toolExecutionNotifications  [{notification}]  caveats
""",
    "notification": """
level    'warning'|'note'  warning: something was not looked for
message  {text}            the caveat
""",
    "result": """
ruleId               str             of a rule
level                'error'|'note'  note: advice
message              {text}          what, in which kernel, what to do
locations            [{location}]    one; none: of the program's calls
partialFingerprints  {fingerprints}  to know it again
~occurrenceCount     int             seen so often in all launches; absent: of advice
~relatedLocations    [{location}]    the other side of a race
~suppressions        [{suppression}]  a rule of --suppressions names it
""",
    "location": """
~physicalLocation  {physical}   where the line is known
~logicalLocations  [{logical}]  the kernel
~message           {text}       of the other side: what it does
""",
    "physical": """
artifactLocation  {artifact}  the file
region            {region}    the line
""",
    "artifact": """
uri         str           from the base on, or all of it
~uriBaseId  '%SRCROOT%'   absent: the file lies elsewhere
""",
    "region": """
startLine  int  from 1 on
""",
    "logical": """
fullyQualifiedName  str         demangled
kind                'function'  a kernel
""",
    "fingerprints": """
headroom/v1  str  hash of its kind, kernel, file and instructions, not of its line
""",
    "suppression": """
kind  'external'  by a file
""",
}
