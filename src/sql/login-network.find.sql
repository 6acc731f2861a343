-- From how many networks the user has logged in, and whether this is one of them; one row.
select count(*) as networks, ifnull(sum(network = @network), 0) as known
from login_network
where user_id = @user_id
