
end

local keys, arguments = {}, {}
for i = 2, #KEYS do
	keys[i - 1] = KEYS[i]
end
for i = 3, #ARGV do
	arguments[i - 2] = ARGV[i]
end
return {ARGV[2], 'passed', fenced(keys, arguments)}
